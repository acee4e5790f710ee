import TestSupport

/// A proxy with TLS and HTTP/2 before a server without them, with a self-signed certificate.
struct SecureProxy {
  let home: TemporaryHome
  let port: UInt16
  private let running: RunningProgram

  var certificate: String { home.path + "/certificate.pem" }
  func url(_ path: String) -> String { "https://127.0.0.1:\(port)" + path }

  init(before server: LoopbackServer, in home: TemporaryHome) async throws {
    self.home = home
    let (key, certificate) = (home.path + "/key.pem", home.path + "/certificate.pem")
    _ = try await home.program(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
      "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"
    ).run()
    // A port that was free just before.
    let placeholder = try LoopbackServer()
    port = placeholder.port
    placeholder.stop()
    running = try home.program(
      "nghttpx", "--conf=/dev/null", "--single-process", "--workers=1", "--no-ocsp", "--errorlog-file=/dev/stderr",
      "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(server.port)", key, certificate
    ).setting("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").start()
    try await running.wait(forError: "Created worker thread")
  }
}

import Text

/// The paths of one server, and what it answers there.
struct Interface {
  let personality: Personality
  let present: Int64

  static func isKnown(_ path: String, _ personality: Personality) -> Bool {
    path.hasPrefix(personality == .nextcloud ? "/index.php/apps/gpoddersync/" : "/api/2/")
      || (personality == .opodsync && path.hasPrefix("/index.php/apps/gpoddersync/"))
  }

  /// `takingAtMost`: a server that dies in the middle of a batch.
  func answer(_ request: Request, _ account: inout Account, takingAtMost limit: Int) -> Response {
    let body = JSON(parsing: request.body)
    let names = request.path.split(separator: "/").map { String($0.prefix { $0 != "." }) }
    switch (request.method, request.path) {
    case ("GET", let path) where path.hasPrefix("/api/2/devices/"): return .json(devices(account))
    case ("POST", let path) where path.hasPrefix("/api/2/devices/"):
      account.devices.insert(names.last ?? "")
      return .json(["code": 200, "message": "Device updated"])
    case ("POST", let path) where path.hasPrefix("/api/2/sync-devices/"):
      for group in body?["synchronize"]?.elements ?? [] {
        account.join((group.elements ?? []).compactMap(\.text), personality)
      }
      return .json([:])
    case ("GET", let path) where path.hasPrefix("/api/2/subscriptions/") || path.hasSuffix("gpoddersync/subscriptions"):
      return subscriptions(request, names.last ?? "", account)
    case ("POST", let path)
    where path.hasPrefix("/api/2/subscriptions/") || path.hasSuffix("subscription_change/create"):
      return change(body, names.last ?? "", &account)
    case ("GET", let path) where path.hasPrefix("/api/2/episodes/") || path.hasSuffix("/episode_action"):
      return actions(request, account)
    case ("POST", let path) where path.hasPrefix("/api/2/episodes/") || path.hasSuffix("/episode_action/create"):
      return take(body, &account, limit)
    default: return .status(404)
    }
  }

  private func devices(_ account: Account) -> JSON {
    .array(
      account.devices.sorted().map { device in
        let count = account.listed(for: device, personality).count
        return ["id": JSON(device), "caption": "", "type": "mobile", "subscriptions": JSON(count)]
      })
  }

  private func since(_ request: Request) -> Int64? {
    request.query.split(separator: "&").first { $0.hasPrefix("since=") }.flatMap { Int64($0.dropFirst(6)) }
  }

  private func subscriptions(_ request: Request, _ device: String, _ account: Account) -> Response {
    guard let since = since(request) else { return .status(400) }
    if personality == .mygpo, !account.devices.contains(device) { return .status(404) }
    let changes = account.changes(for: device, personality, since: since)
    return .json([
      "add": JSON(changes.filter(\.isAdded).map(\.url)), "remove": JSON(changes.filter { !$0.isAdded }.map(\.url)),
      "timestamp": JSON(present),
    ])
  }

  private func change(_ body: JSON?, _ device: String, _ account: inout Account) -> Response {
    guard let added = body?["add"]?.elements, let removed = body?["remove"]?.elements,
      Set(added).isDisjoint(with: removed)
    else { return .status(400) }
    account.devices.insert(device)
    var spellings: [JSON] = []
    for (urls, isAdded) in [(added, true), (removed, false)] {
      for url in urls.compactMap(\.text) {
        let spelled = personality.spelled(url)
        if spelled != url { spellings.append([JSON(url), JSON(spelled)]) }
        account.change(spelled, by: device, isAdded: isAdded, at: present, personality)
      }
    }
    return .json([
      "timestamp": JSON(present), "update_urls": personality == .nextcloud ? nil : JSON.array(spellings),
    ])
  }

  private func actions(_ request: Request, _ account: Account) -> Response {
    guard let since = since(request) else { return .status(400) }
    switch personality {
    case .mygpo:
      let page = account.actions.filter { $0.time >= since && $0.time <= present }.sorted { $0.time < $1.time }
        .prefix(personality.pageSize)
      return .json(["actions": .array(page.map(personality.told)), "timestamp": JSON(page.last?.time ?? present)])
    case .opodsync, .nextcloud, .podfetch:
      let isOpen = personality != .nextcloud
      let all = account.actions.filter { isOpen ? $0.time >= since : $0.time > since }.reversed()
      return .json(["actions": .array(all.map(personality.told)), "timestamp": JSON(present)])
    }
  }

  private func take(_ body: JSON?, _ account: inout Account, _ limit: Int) -> Response {
    guard let values = body?.elements else { return .status(400) }
    guard account.take(Array(values.prefix(limit)), personality, at: present) else {
      return .status(personality == .nextcloud ? 500 : 400)
    }
    return .json(["timestamp": JSON(present), "update_urls": []])
  }
}

extension Response {
  fileprivate static func json(_ value: JSON) -> Response { .ok(value.compact, type: "application/json") }
}

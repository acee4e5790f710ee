/// The names and the properties of MPRIS 2.2.
enum MPRIS {
  static let path = "/org/mpris/MediaPlayer2"
  static let interface = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  static let properties = "org.freedesktop.DBus.Properties"

  static func root(_ identity: MediaIdentity) -> [BusProperty] {
    [
      BusProperty("CanQuit", .bool(true)), BusProperty("CanRaise", .bool(false)),
      BusProperty("HasTrackList", .bool(false)), BusProperty("Identity", .string(identity.name)),
      BusProperty("DesktopEntry", .string(identity.name)), BusProperty("SupportedUriSchemes", .strings([])),
      BusProperty("SupportedMimeTypes", .strings([])),
    ]
  }

  /// The properties that are announced when they change. The position is none of them: a client is told of jumps only.
  static func changing(_ state: MediaState) -> [BusProperty] {
    let isLoaded = BusValue.bool(state.track != nil)
    return [
      BusProperty("Metadata", metadata(state.track)),
      BusProperty("PlaybackStatus", .string(state.playback.rawValue)), BusProperty("Rate", .double(state.rate)),
      BusProperty("Volume", .double(state.volume)), BusProperty("CanGoNext", isLoaded),
      BusProperty("CanGoPrevious", isLoaded), BusProperty("CanPlay", isLoaded), BusProperty("CanPause", isLoaded),
      BusProperty("CanSeek", isLoaded),
    ]
  }

  /// Announced together with each new track.
  static let ofTrack: Set<String> = ["Metadata", "PlaybackStatus", "Rate"]

  static func constant(_ identity: MediaIdentity) -> [BusProperty] {
    [
      BusProperty("MinimumRate", .double(identity.rates.lowerBound)),
      BusProperty("MaximumRate", .double(identity.rates.upperBound)), BusProperty("CanControl", .bool(true)),
    ]
  }

  static func position(_ position: Duration) -> BusProperty {
    BusProperty("Position", .int64(microseconds(position)))
  }

  static func microseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  /// Never an address: that of a media file may have a secret in it.
  private static func metadata(_ track: Track?) -> BusValue {
    guard let track else {
      return .dictionary([BusProperty("mpris:trackid", .path(path + "/TrackList/NoTrack"))])
    }
    var entries = [
      BusProperty("mpris:trackid", .path(track.path)), BusProperty("xesam:title", .string(track.title)),
      BusProperty("xesam:artist", .strings([track.artist])), BusProperty("xesam:album", .string(track.album)),
    ]
    if let length = track.length, length > .zero {
      entries.append(BusProperty("mpris:length", .int64(microseconds(length))))
    }
    if let created = track.created { entries.append(BusProperty("xesam:contentCreated", .string(created))) }
    if let path = track.artPath { entries.append(BusProperty("mpris:artUrl", .string(fileAddress(path)))) }
    return .dictionary(entries)
  }

  /// Letters, digits and a few signs stay as they are.
  private static func fileAddress(_ path: String) -> String {
    path.utf8.reduce(into: "file://") { address, byte in
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80,
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/-._~".unicodeScalars.contains(scalar)
      {
        address.unicodeScalars.append(scalar)
      } else {
        address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
     <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect"><arg name="xml" type="s" direction="out"/></method>
     </interface>
     <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId"><arg name="machine_uuid" type="s" direction="out"/></method>
     </interface>
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
       <arg name="interface" type="s" direction="in"/><arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
       <arg name="interface" type="s" direction="in"/><arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <method name="Set">
       <arg name="interface" type="s" direction="in"/><arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="in"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface" type="s"/><arg name="changed" type="a{sv}"/><arg name="invalidated" type="as"/>
      </signal>
     </interface>
     <interface name="org.mpris.MediaPlayer2">
      <method name="Raise"/>
      <method name="Quit"/>
      <property name="CanQuit" type="b" access="read"/>
      <property name="CanRaise" type="b" access="read"/>
      <property name="HasTrackList" type="b" access="read"/>
      <property name="Identity" type="s" access="read"/>
      <property name="DesktopEntry" type="s" access="read"/>
      <property name="SupportedUriSchemes" type="as" access="read"/>
      <property name="SupportedMimeTypes" type="as" access="read"/>
     </interface>
     <interface name="org.mpris.MediaPlayer2.Player">
      <method name="Next"/>
      <method name="Previous"/>
      <method name="Pause"/>
      <method name="PlayPause"/>
      <method name="Stop"/>
      <method name="Play"/>
      <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
      <method name="SetPosition">
       <arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/>
      </method>
      <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
      <signal name="Seeked"><arg name="Position" type="x"/></signal>
      <property name="PlaybackStatus" type="s" access="read"/>
      <property name="Rate" type="d" access="readwrite"/>
      <property name="Metadata" type="a{sv}" access="read"/>
      <property name="Volume" type="d" access="readwrite"/>
      <property name="Position" type="x" access="read">
       <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
      </property>
      <property name="MinimumRate" type="d" access="read"/>
      <property name="MaximumRate" type="d" access="read"/>
      <property name="CanGoNext" type="b" access="read"/>
      <property name="CanGoPrevious" type="b" access="read"/>
      <property name="CanPlay" type="b" access="read"/>
      <property name="CanPause" type="b" access="read"/>
      <property name="CanSeek" type="b" access="read"/>
      <property name="CanControl" type="b" access="read">
       <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
      </property>
     </interface>
    </node>
    """
}

import Foundation
import POSIX
import Synchronization

/// A real WebDAV server on loopback. Its folder is in a temporary folder.
public final class WebDAVProgram: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case apache, wsgidav, nginx, lighttpd, rclone, sabre
  }

  public let kind: Kind
  public let port: Int
  public let folder: TemporaryFolder
  private let process: Process
  private let clubs = Atomic(0)

  public static let user = "ann"
  public static let password = "harbour:café"

  public var origin: String { "http://127.0.0.1:\(port)" }

  /// A folder on the disk that the server serves, for writes past it.
  public var files: String { folder.file("files") }

  public init(_ kind: Kind) async throws {
    self.kind = kind
    folder = try TemporaryFolder()
    port = try HeldPort().number
    for name in ["files", "own", "own/body"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      chmod(folder.file(name), 0o777)
    }
    chmod(folder.path, 0o755)
    process = Process()
    let command = try kind.command(folder, port)
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = [
      "PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.file("own"),
      "PHP_CLI_SERVER_WORKERS": "4",
    ]
    let log = folder.file("own/output")
    try folder.write("own/output", [])
    let handle = try FileHandle(forWritingTo: URL(filePath: log))
    (process.standardOutput, process.standardError, process.standardInput) = (handle, handle, FileHandle.nullDevice)
    try process.run()
    let begun = ContinuousClock.now
    while !isUp {
      guard process.isRunning, ContinuousClock.now - begun < .seconds(120) else {
        throw Failure(
          what: "\(kind) did not start: \(folder.text("own/output") ?? "") \(folder.text("own/error") ?? "")")
      }
      // at any pace: a pause between two looks.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }

  private var isUp: Bool {
    let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    return connectToLoopback(socket, port: port) == 0
  }

  /// Foundation's own wait needs a run loop, which a task's thread lacks. A child whose end nobody has taken note of would
  /// keep all exit tests waiting: they look at the first one that has ended.
  public func stop() {
    process.terminate()
    let id = process.processIdentifier
    // PHP's workers outlive it when it is terminated; Foundation gives each program a group of its own.
    defer { kill(-id, SIGKILL) }
    var status: Int32 = 0
    for _ in 0..<500 {
      // -1: Foundation was faster.
      if waitpid(id, &status, WNOHANG) != 0 { return }
      // at any pace: a pause between two looks.
      usleep(10_000)
    }
    kill(id, SIGKILL)
    waitpid(id, &status, 0)
  }

  /// A folder at the server that no other case has used.
  public func newClub() throws -> String {
    let name = "club-\(clubs.add(1, ordering: .relaxed).newValue)"
    try FileManager.default.createDirectory(atPath: files + "/" + name, withIntermediateDirectories: false)
    chmod(files + "/" + name, 0o777)
    return name
  }
}

extension WebDAVProgram.Kind {
  /// The server's program, if it is installed.
  public var program: String? {
    let path =
      switch self {
      case .apache: "/usr/sbin/apache2"
      case .nginx: "/usr/sbin/nginx"
      case .lighttpd: "/usr/sbin/lighttpd"
      case .rclone: "/usr/bin/rclone"
      case .sabre: "/usr/bin/php"
      // Beside the Python of scripts/python.sh.
      case .wsgidav:
        URL(filePath: ProcessInfo.processInfo.environment["BYTECLUB_TEST_PYTHON"] ?? "/python")
          .deletingLastPathComponent().appending(path: "wsgidav").path
      }
    return access(path, X_OK) == 0 ? path : nil
  }

  fileprivate func command(_ folder: TemporaryFolder, _ port: Int) throws -> [String] {
    guard let program else { throw WebDAVProgram.Failure(what: "\(self) is not installed") }
    let (files, own) = (folder.file("files"), folder.file("own"))
    // The password's SHA-1, as htpasswd -s writes it.
    try folder.write("own/users", Array("\(WebDAVProgram.user):{SHA}4jgjXo+2XNoOEFl0ZWIPUgHsPt0=\n".utf8))
    switch self {
    case .apache:
      let modules = [
        "mpm_event", "authn_core", "authn_file", "auth_basic", "authz_core", "authz_user", "dav", "dav_fs",
      ]
      let loads = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
      let user = geteuid() == 0 ? "User nobody\nGroup nogroup\n" : ""
      try folder.write(
        "own/config",
        Array(
          """
          ServerRoot "\(own)"
          PidFile "\(own)/pid"
          ErrorLog "\(own)/error"
          DefaultRuntimeDir "\(own)"
          Listen 127.0.0.1:\(port)
          ServerName localhost
          \(loads.joined(separator: "\n"))
          \(user)StartServers 1
          ServerLimit 2
          ThreadsPerChild 32
          MaxRequestWorkers 64
          KeepAliveTimeout 60
          MaxKeepAliveRequests 0
          DavLockDB "\(own)/body/locks"
          DocumentRoot "\(files)"
          <Directory "\(files)">
            Dav On
            AuthType Basic
            AuthName club
            AuthUserFile "\(own)/users"
            Require valid-user
          </Directory>

          """.utf8))
      return [program, "-f", own + "/config", "-DFOREGROUND"]
    case .wsgidav:
      try folder.write(
        "own/config.json",
        Array(
          """
          {"host":"127.0.0.1","port":\(port),"provider_mapping":{"/":"\(files)"},"verbose":0,
          "http_authenticator":{"domain_controller":null,"accept_basic":true,"accept_digest":false},
          "simple_dc":{"user_mapping":{"*":{"ann":{"password":"harbour:café"}}}},
          "lock_storage":true,"property_manager":null}
          """.utf8))
      return [program, "--config", own + "/config.json"]
    case .rclone:
      return [
        program, "serve", "webdav", files, "--addr", "127.0.0.1:\(port)", "--user", WebDAVProgram.user, "--pass",
        WebDAVProgram.password, "--vfs-cache-mode", "off", "--dir-cache-time", "0s",
      ]
    case .nginx:
      try folder.write(
        "own/config",
        Array(
          """
          load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
          \(geteuid() == 0 ? "user nobody nogroup;" : "")
          daemon off;
          worker_processes 2;
          pid "\(own)/pid";
          error_log "\(own)/error";
          events { worker_connections 256; }
          http {
            access_log off;
            dav_ext_lock_zone zone=locks:1m;
            client_body_temp_path "\(own)/body";
            proxy_temp_path "\(own)/proxy";
            fastcgi_temp_path "\(own)/fastcgi";
            uwsgi_temp_path "\(own)/uwsgi";
            scgi_temp_path "\(own)/scgi";
            client_max_body_size 0;
            keepalive_requests 1000000;
            server {
              listen 127.0.0.1:\(port);
              root "\(files)";
              auth_basic club;
              auth_basic_user_file "\(own)/users";
              dav_methods PUT DELETE MKCOL COPY MOVE;
              dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
              dav_ext_lock zone=locks;
            }
          }

          """.utf8))
      return [program, "-c", own + "/config", "-e", own + "/error"]
    case .lighttpd:
      try folder.write(
        "own/config",
        Array(
          """
          server.modules = ("mod_auth", "mod_authn_file", "mod_webdav")
          server.bind = "127.0.0.1"
          server.port = \(port)
          server.document-root = "\(files)"
          server.errorlog = "\(own)/error"
          server.upload-dirs = ("\(own)/body")
          server.max-keep-alive-requests = 60000
          \(geteuid() == 0 ? "server.username = \"nobody\"\nserver.groupname = \"nogroup\"" : "")
          webdav.activate = "enable"
          webdav.sqlite-db-name = "\(own)/body/locks"
          auth.backend = "htpasswd"
          auth.backend.htpasswd.userfile = "\(own)/users"
          auth.require = ("/" => ("method" => "basic", "realm" => "club", "require" => "valid-user"))

          """.utf8))
      return [program, "-D", "-f", own + "/config"]
    case .sabre:
      // FSExt gives ETags. Its warnings must become errors, or two MKCOLs of one name both succeed.
      try folder.write(
        "own/index.php",
        Array(
          """
          <?php
          set_error_handler(function ($kind, $text, $file, $line) {
            if (error_reporting() & $kind & ~E_DEPRECATED) throw new ErrorException($text, 0, $kind, $file, $line);
          });
          require_once 'Sabre/autoload.php';
          class Members extends Sabre\\DAV\\Auth\\Backend\\AbstractBasic {
            protected function validateUserPass($user, $password) {
              return $user === '\(WebDAVProgram.user)' && $password === '\(WebDAVProgram.password)';
            }
          }
          $server = new Sabre\\DAV\\Server(new Sabre\\DAV\\FSExt\\Directory('\(files)'));
          $server->setBaseUri('/');
          $server->addPlugin(new Sabre\\DAV\\Auth\\Plugin(new Members(), 'club'));
          $server->addPlugin(new Sabre\\DAV\\Locks\\Plugin(new Sabre\\DAV\\Locks\\Backend\\File('\(own)/body/locks')));
          $server->addPlugin(new Sabre\\DAV\\PartialUpdate\\Plugin());
          $server->exec();

          """.utf8))
      return [
        program, "-d", "display_errors=0", "-d", "log_errors=0", "-d", "enable_post_data_reading=0", "-d",
        "error_reporting=8191", "-d", "realpath_cache_size=0", "-S", "127.0.0.1:\(port)", own + "/index.php",
      ]
    }
  }
}

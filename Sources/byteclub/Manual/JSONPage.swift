import FileStores
import Transfers

/// The page about JSON and exit codes, made from the tables that the program itself goes by.
enum JSONPage {
  /// Its source, in Markdown.
  static func text() -> String {
    var page = """
      # For scripts: JSON and exit codes

      This page is what `byteclub manual --json` prints; a test keeps the two equal.

      With `--json` a command prints one document on one line of standard output:

      ```
      {"ok":true,"results":[...]}
      {"ok":false,"error":{"kind":"notFound","message":"...","path":"..."}}
      ```

      `serve member` and `serve app` do so, too. What prints something else refuses `--json` (`completion`, `demo`).

      When some of several things failed, `ok` is false, `error` is the first failure, `errors` has all of them (when \
      there are several), and `results` has what was done.

      ## Files

      | field | meaning |
      |---|---|
      | `name` | the last part of the path; of a photo, the path from the photos folder |
      | `path` | the path in the club |
      | `size` | bytes |
      | `modified` | when the content changed (RFC 3339, UTC) |
      | `revision` | the version of the content, for `note put --if-rev` |
      | `contentHash` | the checksum that Dropbox calls content_hash, where it is known |
      | `state` | see below |

      `note cat` and `draft cat` add `text`; `search` adds `matches`, each with `line` and `text`; a file in the trash \
      has `id` and `discarded` instead of `revision` and `modified`; `draft ls` \
      adds `id`, `firstLine` and `openElsewhere` (another byteclub that runs has it); `photo info` adds `format`, \
      `width`, `height`, `cameraMake`, `cameraModel`, `captured`, `projection` and `hasPosition`, where they are known. \
      `note history` tells `revision`, `modified`, `size`, `member` and `kept` of each version, newest first; `member` \
      where the store knows it, and `kept` is false when a version could not be kept, so that its text is gone.

      | `state` | meaning |
      |---|---|

      """
    for state in FileState.allCases { page += "| `\(state.rawValue)` | \(state.meaning) |\n" }
    page += """

      ## Accounts

      `login`, `logout` and `whoami` tell

      | field | meaning |
      |---|---|
      | `club` | the club |
      | `service` | Dropbox, or the server's host and port |
      | `source` | where the access token comes from: `login`, `command` or `variable` |
      | `name`, `email` | whose account it is, where the service tells |
      | `account` | the account, in the service's words |

      ## Clubs and settings

      `club ls` tells `name`, `store` (its kind), `place` (for people), `path` (in full, of a club that is a directory of \
      this machine) and `selected`. `config show` tells `key`, `value`, `origin` (`default`, `file`, `env` or `flag`) and \
      `from` (for people); `config check` a `warning` for each thing that is odd; `config path` `path` and `exists`.

      ## Serving

      `serve member add` tells `name` and `token`, `member code` `name` and `code`, `member ls` and `rm` `name`; `serve app \
      add` tells `key` and `secret`, `app ls` `key` and `made`, `app rm` `key`.

      ## Transfers

      | field | meaning |
      |---|---|
      | `id` | the transfer |
      | `direction` | \(words(Transfer.Direction.allCases.map(\.rawValue))) |
      | `name`, `path` | the photo, and where it is in the club |
      | `club` | the club |
      | `local` | the file that goes up, or the directory that a download goes to |
      | `place` | where a download was put |
      | `state` | \(words(TransferState.allCases.map(\.word))) |
      | `sent`, `total` | bytes |
      | `rate` | bytes a second, on average |
      | `secondsLeft` | how long it may still take, while that can be said |
      | `attempts`, `restarts` | how often it was begun, and how often from nothing because the file had changed |
      | `resumesAt` | when it is tried again (RFC 3339, UTC) |
      | `keptUntil` | until when the store keeps what was sent |
      | `error` | why it failed, or what went wrong last |

      `photo put` of a picture that the club has already, and `photo get` of one that is there already, tell the file's \
      fields, `already`: true and, for `get`, `place`.

      `transfer limit` tells `limit`: bytes a second, or null.

      `club export` tells `path`, the directory; `written` files and their `bytes`; and how many were `kept` as they were \
      there already. Its `--progress json` prints `files`, `ofFiles`, `bytes` and `ofBytes`.

      `--progress json` prints `id`, `state`, `sent`, `total` and `rate` of a transfer on a line of standard error with \
      each change.

      ## Errors

      | `kind` | exit code |
      |---|---|

      """
    for kind in StoreError.Kind.allCases {
      let usage =
        kind == .badInput ? "; \(ExitStatus.wrongUsage.rawValue) when the command line or the config is wrong" : ""
      page += "| `\(kind.rawValue)` | \(ExitStatus(kind).rawValue)\(usage) |\n"
    }
    page += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n"
    for status in ExitStatus.allCases { page += "| \(status.rawValue) | \(status.meaning) |\n" }
    return page
  }

  private static func words(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }
}

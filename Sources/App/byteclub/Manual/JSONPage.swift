import Basics
import ClubServices
import FileStores
import Transfers

enum JSONPage {
  static func text() -> String {
    var page = """
      # For scripts: JSON and exit codes

      `byteclub manual --json` prints this page; a test keeps the two equal.

      With `--json` a command prints one document on one line of standard output:

      ```
      {"ok":true,"results":[...]}
      {"ok":false,"error":{"kind":"notFound","message":"...","path":"..."}}
      ```

      `serve member` and `serve app` do so, too. `photo tour` prints the JSON of the viewer \
      Pannellum, unless it fails. `completion` and `demo` print something else and refuse `--json`.

      When some of several things failed, `ok` is false, `error` is the first failure, `errors` has all of them (when \
      there are several), and `results` has the successes. `asOf` is the time of the server's last answer (RFC 3339, UTC) \
      when it gives none now and the results are the local copy's.

      ## Files

      | field | meaning |
      |---|---|
      | `name` | the last part of the path; of a photo, the path from the photos folder |
      | `path` | the path in the club |
      | `size` | bytes |
      | `modified` | when the content changed (RFC 3339, UTC) |
      | `revision` | the version of the content, for `note put --if-rev` |
      | `contentHash` | the checksum that Dropbox calls content_hash, where known |
      | `member` | the member who wrote this version, where the store knows it |
      | `state` | see below |

      A folder that `note ls` lists has `name`, `path`, `kind` (`folder`; files have none), `notes` (the number of its notes at any \
      depth) and `modified` (of the newest of them). `note mkdir` gives the same without the last two. A folder that \
      `note mv` or `photo mv` has moved has `files`, the number of all files in it; `note rm` and `photo rm` of a folder give \
      its files in the trash.

      `note ls` and `photo ls` add `isNew`: true if another member added or changed the file since this member last \
      looked at it, in the app or by `note cat`, `note show` or `photo view`; on the first listing of a club nothing is \
      new. A text of a note that waits on this machine is given in place of the club's, with the `revision` that it \
      replaces (none for a new note). \
      `note cat` and `draft cat` add `text`; `search` adds `matches`, each with `line` and `text`, and to the document `query`: \
      `words`, `without` and `filters`, each with `filter`, `value`, `not` and, of a day, its first `moment`; a file in the trash \
      has `id` and `discarded` instead of `revision` and `modified`; `draft ls` \
      adds `id`, `firstLine` and `openElsewhere` (another running byteclub has it open), with \
      `--all-accounts` also `otherAccount` (true), and so does `sync ls`, with \
      `change` for a rename, a move to the trash or a restoration that waits; `photo caption` without a text \
      adds `text`; `photo info` adds `caption`, `format`, `width`, `height`, `cameraMake`, `cameraModel`, `captured`, \
      `capturedZone` (the camera's time from UTC), `lens`, `focalLength` and `focalLength35` (mm; the second is that of 35 mm \
      film), `exposureSeconds`, `aperture` (the f-number), `iso`, `latitude`, `longitude` and `heading` (degrees), \
      `filmBytes` (of a motion photo; null if the file does not say), `projection` and `hasPosition`, where known, and `kind`: `flat`, `sweep`, `cylinder` (a full turn) or `sphere`. \
      `note history` gives `revision`, `modified`, `size`, `member` and `kept` of each version, newest first; `member` \
      where the store knows it; `kept` is false when the store has lost the text of the version. `note diff` gives \
      `path`, the revisions `from` and `to` (null for a text that is not there, or waits to be sent), and `hunks`, each with `oldLine` and \
      `newLine` (the first lines, from 1) and `lines` of a `kind` (`same`, `removed` or `added`) and a `text`.

      | `state` | meaning |
      |---|---|

      """
    for state in FileState.allCases { page += "| `\(state.rawValue)` | \(state.meaning) |\n" }
    page += """

      ## Links

      `note link`, `photo link`, `photo ask`, `link ls` and `link rm` give

      | field | meaning |
      |---|---|
      | `url` | the address, for a browser |
      | `name`, `path` | the shared file, or the folder of a page for photos; `link rm` of an address that `link ls` does not list has neither |
      | `expires` | the end (RFC 3339, UTC), if it has one |
      | `hasPassword` | true if it asks for a password; not of a page for photos |
      | `takesPhotos` | true for a page for photos (`photo ask`); else missing |
      | `from` | the giver's name of such a page, if the member gave one |
      | `limit` | the bytes that such a page takes in all, if the store says |

      ## Remarks

      `talk ls`, `add`, `reply`, `fix` and `rm` give

      | field | meaning |
      |---|---|
      | `id` | eight letters and digits |
      | `member` | the writer, as the file says |
      | `time` | when it was written (RFC 3339, UTC), to the minute |
      | `text` | as corrected; missing when it is withdrawn |
      | `place` | `yaw` and `pitch` (degrees) of a direction in a panorama, or the `words` of a note, if it has one |
      | `re` | the id of the remark that it answers, corrects, withdraws or agrees with |

      `talk ls` adds `agreed` (the members who agree), `isCorrected`, `isWithdrawn` and `broughtBy`: the
      author of the version that brought the remark, if that is another name. Without a name it gives `path`, `remarks`
      (the number) and `isGone`; `talk join` gives `path`.

      ## News

      `news` gives

      | field | meaning |
      |---|---|
      | `club` | the club |
      | `member` | who did it, or null if the store does not say |
      | `action` | \(words(NewsItem.Action.allCases.map(\.rawValue))) |
      | `path` | the note, photo or walk |
      | `broughtBy` | of a remark or door: the author of the version that brought it, if that is another name |
      | `time` | when (RFC 3339, UTC) |

      `news --follow --json` prints a document on a line for each batch: `club`, `from` and `to` (the times of its oldest and \
      newest item), and `items`, each without `club`. The program of `--exec` gets the same on its standard input.

      ## Accounts

      `login`, `logout` and `whoami` give

      | field | meaning |
      |---|---|
      | `club` | the club |
      | `service` | Dropbox, or the server's host and port |
      | `source` | where the access token comes from: `login`, `command` or `variable` |
      | `name`, `email` | the name and address of the account, where the service gives them |
      | `account` | the service's id of the account |

      `join` gives `name` (the club on this machine), `place`, `change` (`added`, `changed`, `signedIn`, or `none` if this \
      machine has joined by this line before), `file` (in `clubs.d`), `member` and `club` (as the server names them), \
      `account`, `isReader`, and the number of `notes` and `photos`, where the club could be listed. `club leave` gives `name`, `signedOut` (false if the server was not told) \
      and `waiting`, the texts and changes that stay. `device add` gives `line` and `expires`, the seconds for which it is \
      good; `device ls` `id`, `name`, `made`, `lastUsed` and `isThis`; `device rm` `id`. `club add`, and `join` with a line of \
      `club invite`, give `name`, `store` (its kind), `place`, `file` (in `clubs.d`) and `signIn`, the command that signs in, \
      where one is needed. `club invite` gives `name` and `line`.

      ## The local copy

      `sync status` gives `club`; `copied`, false for a club without a copy; `refreshed`, the time of the server's last \
      answer (RFC 3339, UTC); the number of `files` and `texts` of the copy, `textBytes`, and `held`, the files that the \
      server no longer has and that stay until you agree; and how many wait: `toSend`, `conflicts`, `drafts`. `sync now` \
      gives each file that it sent.

      ## Clubs and settings

      `club ls` gives `name`, `store` (its kind), `place` (for people), `path` (in full, of a club in a directory of this \
      machine) and `selected`. `config show` gives `key`, `value`, `origin` (`default`, `file`, `dropIn`, `env` or `flag`) and \
      `from` (for people); `config check` a `warning` each; `config path` `path` and `exists`.

      ## Serving

      `serve member add` gives `name` and `token`, `member code` `name` and `code`, `member ls` and `rm` `name`; `serve app \
      add` gives `key` and `secret`, `app ls` `key`, `made` and `redirects`, `app redirect` `key` and `redirects`, `app rm` \
      `key`.

      ## Transfers

      | field | meaning |
      |---|---|
      | `id` | the transfer |
      | `direction` | \(words(Transfer.Direction.allCases.map(\.rawValue))) |
      | `name`, `path` | the photo, and where it is in the club |
      | `club` | the club |
      | `local` | the uploaded file, or the directory of a download |
      | `place` | the downloaded file |
      | `state` | \(words(TransferState.allCases.map(\.word))) |
      | `sent`, `total` | bytes |
      | `rate` | bytes a second, on average |
      | `secondsLeft` | the estimated time left, where known |
      | `attempts`, `restarts` | how often it started, and how often from the beginning because the file had changed |
      | `resumesAt` | the time of the next attempt (RFC 3339, UTC) |
      | `keptUntil` | until when the store keeps the sent part |
      | `error` | the error that ended it, or the last one |

      `photo put` of a picture that the club already has, and `photo get` of one that is already there, give the file's \
      fields, `already`: true and, for `get`, `place`.

      `transfer limit` gives `limit`: bytes a second, or null.

      `club export` gives `path`, the directory; the number of `written` files and their `bytes`; the number of `kept` \
      files, which were already there; and `leftOut`, the paths of links and devices. `club copy` gives `from` and `to`, \
      the places of both clubs, instead of `path`; with `--dry-run` it gives each file's `path` and `size`, and \
      `replaces`: true for a file that is there and differs. Their `--progress json` prints `files`, `ofFiles`, `bytes` \
      and `ofBytes`.

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

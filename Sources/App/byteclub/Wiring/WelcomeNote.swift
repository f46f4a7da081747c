enum WelcomeNote {
  static let text = """
    # Welcome to Byte Club

    A club is a folder that several members share. Notes such as this one lie at its top,
    panoramic photos in its folder "photos".

    - Enter reads a note, Enter once more edits it. Ctrl-S saves.
    - n begins a new note: a challenge for the others, or an answer to one.
    - 2 shows the photos. u brings one of yours into the club.
    - ? shows all keys. q leaves.

    What you type is on disk within a second, also before you save it.

    """
}

enum DemoNotes {
  static let guestbook = "Guestbook.md"
  /// The other member interferes with edits of this note.
  static let conflict = "Try a conflict.md"

  static let all = [
    ("1 Welcome.md", welcome), (guestbook, guestbookText), (conflict, conflictText),
    ("Challenge for Robin.md", challenge),
  ]

  static let greetings = [
    "Hello! I write here now and then. Your list shows it without a key.",
    "There is a photo of all directions in PanoPhotos: Compass 360.jpg.",
    "Did you bring Morning.jpg into the club yet? It is in ~/Pictures.",
    "Have you tried to edit the other note while I do?",
    "The server is slow on purpose. Mine at home is not.",
    "That is all I have to say. Thank you for the visit!",
  ]

  private static let welcome = """
    # Welcome to the demo of Byte Club

    This club is real, and goes when you quit: a small server on this machine, \
    slowed down on purpose, and Robin, another member, who is a program.

    To try:

    - [A walk through three panoramas](photos/Compass%20360.jpg): press Tab and Enter here. \
    Then arrows or the mouse look around, Tab turns to the next mark, Enter goes there, \
    Backspace comes back.
    - Guestbook.md: Robin writes into it now and then. Watch the list, or read it.
    - Try a conflict.md: Enter reads it, Enter once more edits. Type something. \
    Robin answers at the end of the same note meanwhile: the words come into your text, or Ctrl-S shows both texts.
    - n begins a note of your own.
    - 2 shows the photos. Enter looks at one, i tells about it, v shows a list or a grid.
    - @ leaves a remark: on a note, a photo, or in a direction of a panorama. w tells what happened here.
    - u and ~/Pictures/Morning.jpg bring a photo into the club: slowly, with its \
    progress. x cancels it, and nothing is left of it.
    - d downloads a photo into ~/Pictures (of the demo: that goes, too).
    - ? shows all keys. q quits.

    """

  private static let guestbookText = """
    # Guestbook

    - Ada: A very fine view from up here.

    """

  private static let conflictText = """
    # Try a conflict

    Edit this note: write below what you think of conflicts, or above, for a merge.
    Robin answers as soon as you have begun, and saves before you.

    """

  private static let challenge = """
    # Challenge for Robin

    A panorama with water in it, taken before breakfast. 朝の湖 🌄

    """
}

/// The page that an invitation leads to in a browser. The code stands behind `#`, which browsers keep to themselves, so
/// the server cannot know it, and the page is the same for everybody.
enum JoinPage {
  static let page = Page(
    title: "You are invited",
    body: """
      <main><h1>You are invited to a byteclub</h1>
      <p>A club of members who share notes and photos. byteclub is a program for the terminal of Linux.</p>
      <ol>
      <li>Get byteclub from whoever invited you, or from where they say, and install it:
      <ul>
      <li>Debian, Ubuntu and their kin:
      <pre><code>sudo apt install ./byteclub_*.deb</code></pre></li>
      <li>any other Linux, in the folder of the unpacked tarball:
      <pre><code>./install.sh</code></pre></li>
      </ul></li>
      <li>Copy the whole address of this page, with all that stands behind the <code>#</code>, and run this line with it
      between the quotes:
      <pre><code>byteclub join 'ADDRESS'</code></pre></li>
      </ol>
      <p class="hint">The address lets one person in, once, so keep it to yourself. If it was used already, or is too
      old, ask for a new one. Your next device needs no invitation: run <code>byteclub device add</code>.</p></main>
      """)
}

import Basics

/// The style of all pages. A page carries it inline and allows it by its hash (Content Security Policy Level 3, section
/// 2.3.1), so that each page is one answer and no other style counts.
enum PageStyle {
  static let hash = "sha256-" + Base64.text(of: SHA256.digest(of: Array(text.utf8)))

  /// Light and dark as the browser prefers. Every colour of text has a contrast of at least 4.5:1.
  static let text = """
    :root{color-scheme:light dark;--ground:#fbfaf8;--text:#24221f;--dim:#6a655d;--line:#dcd8d0;--soft:#f1eee8;
    --link:#0b5c8a;--mark:#a3312a;--button:#0b5c8a;--label:#fff}
    @media(prefers-color-scheme:dark){:root{--ground:#1b1a18;--text:#e6e2da;--dim:#a39d92;--line:#3b3833;--soft:#262421;
    --link:#7cc0ea;--mark:#f0928b;--button:#7cc0ea;--label:#14222b}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",
    Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
    header,main,footer{max-width:44rem;margin:0 auto;padding:0 1.25rem}
    main:first-child{padding-top:3rem}
    .full header,.full footer{max-width:none}
    .full main{max-width:none;padding:0}
    header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;
    padding-top:1rem;padding-bottom:1rem}
    header .name{font-weight:600}
    header .facts,footer,.hint{color:var(--dim);font-size:.875rem}
    main{padding-top:1rem;padding-bottom:2rem}
    footer{padding-top:1rem;padding-bottom:2rem}
    body.text header{border-bottom:1px solid var(--line)}
    h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.6em 0 .5em;font-weight:650}
    h1{font-size:1.75rem}h2{font-size:1.35rem}h3{font-size:1.125rem}h4,h5,h6{font-size:1rem}
    main>:first-child{margin-top:.25rem}
    p,ul,ol,blockquote,pre,.scroll{margin:0 0 1em}
    ul,ol{padding-inline-start:1.6em}
    li>p{margin-bottom:.4em}
    li.task{list-style:none}
    li.task>input{margin-inline:-1.4em .4em}
    a{color:var(--link);text-underline-offset:.15em}
    a,code,bdi{unicode-bidi:isolate}
    code,pre,kbd{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Noto Sans Mono",monospace;font-size:.9em}
    code{background:var(--soft);border-radius:.25em;padding:.1em .3em}
    pre{background:var(--soft);border-radius:.5em;padding:.8em 1em;overflow-x:auto;line-height:1.45;
    white-space:pre-wrap}
    pre>code{background:none;padding:0}
    blockquote{border-inline-start:.2rem solid var(--line);padding-inline-start:1em;margin-inline:0;color:var(--dim)}
    hr{border:0;border-top:1px solid var(--line);margin:2em 0}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse}
    th,td{border:1px solid var(--line);padding:.3em .7em;text-align:start;vertical-align:top;overflow-wrap:break-word}
    th{background:var(--soft)}
    .left{text-align:left}.center{text-align:center}.right{text-align:right}
    .picture{color:var(--dim);border:1px dashed var(--line);border-radius:.25em;padding:.05em .4em}
    .tag{color:var(--dim)}
    .note{color:var(--mark);font-weight:600}
    .button,button{display:inline-block;font:inherit;font-weight:600;text-decoration:none;cursor:pointer;border-radius:.5em;
    border:1px solid var(--button);background:var(--button);color:var(--label);padding:.35em 1em}
    button.second{background:none;color:var(--link)}
    a:focus-visible,button:focus-visible,input:focus-visible,.wide:focus-visible{outline:.15rem solid var(--link);
    outline-offset:.15rem}
    input:not([type=checkbox]){font:inherit;color:inherit;background:var(--soft);border:1px solid var(--dim);
    border-radius:.5em;padding:.4em .7em;width:100%;max-width:24rem}
    .photo{text-align:center;margin:0}
    .photo img{display:block;max-width:100%;max-height:85vh;width:auto;height:auto;margin:0 auto}
    .wide{overflow-x:auto;margin:0}
    .wide img{display:block;height:70vh;min-height:14rem;width:auto;max-width:none}
    nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-weight:600}
    nav a{text-decoration:none;padding:.25rem 0}
    nav a[aria-current]{color:inherit;box-shadow:0 .15rem 0 var(--link)}
    section,.facts,.caption{max-width:44rem;margin:0 auto;padding:0 1.25rem}
    p.facts{padding-top:1rem}
    .full .caption main{max-width:44rem;padding:0}
    section{padding-bottom:1rem}
    textarea{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--dim);border-radius:.5em;
    padding:.4em .7em;width:100%}
    textarea:focus-visible{outline:.15rem solid var(--link);outline-offset:.15rem}
    .list{list-style:none;padding:0}
    .list li{padding:.4em 0;border-bottom:1px solid var(--line)}
    .search{display:flex;gap:.5rem}.search button{flex:none}
    .found,.by{font-size:.9375rem}
    .said{white-space:pre-line}
    .by{margin-bottom:.2em}
    article{margin:0 0 1rem;padding-inline-start:.8rem;border-inline-start:.2rem solid var(--line)}
    .depth1{margin-inline-start:1rem}.depth2{margin-inline-start:2rem}.depth3{margin-inline-start:3rem}
    .depth4,.depth5,.depth6,.depth7,.depth8{margin-inline-start:4rem}
    main.photos{padding:1rem 1.25rem 2rem}
    .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.5rem;list-style:none;padding:0}
    .grid img{display:block;width:100%;aspect-ratio:1;object-fit:cover;border-radius:.5em;background:var(--soft)}
    footer p{margin:0}
    @media print{header .button{display:none}}
    """
}

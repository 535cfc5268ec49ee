/** The style sheet of the error page, and the content security policy that allows nothing else. */
import { createHash } from 'node:crypto';
import { PAGE_POLICY } from '../../protocol/page-policy';

const LIGHT = `
--page:#f6f5f3;--card:#fff;--line:#dedbd6;--ink:#1f1d1a;--soft:#5f5a52;--accent:#a52a12;--mark:#fdeae4;--edge:#c8371a;
--hint:#eaf3ec;--hint-line:#2f7d4a;--link:#0b5394;--code:#fbfaf8;--comment:#6a655c;--text:#1d6b37;--number:#8a4b00;
--keyword:#8b1f8f;--name:#0b5394`;

const DARK = `
--page:#161513;--card:#201e1b;--line:#3a3732;--ink:#eeebe6;--soft:#b1aba1;--accent:#ff8f75;--mark:#43231b;--edge:#ff7a5c;
--hint:#17281d;--hint-line:#5fbf80;--link:#86bdf5;--code:#1a1816;--comment:#a09a8f;--text:#8fd6a4;--number:#eab676;
--keyword:#e0a0e6;--name:#86bdf5`;

/** The style sheet as embedded in the page. */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;
overflow-wrap:anywhere}
header,main,footer{max-width:1280px;margin:0 auto;padding:0 24px}
header{padding-top:28px}
main{display:grid;grid-template-columns:minmax(0,1.9fr) minmax(0,1fr);gap:0 28px;align-items:start}
code,pre,.place,.mono,.raw{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
.request{display:flex;flex-wrap:wrap;gap:6px 10px;align-items:baseline;color:var(--soft);margin:0 0 14px}
.status{font-weight:600;color:var(--card);background:var(--accent);border-radius:5px;padding:1px 9px}
h1{margin:0;font-size:25px;line-height:1.3;font-weight:650;white-space:pre-wrap;max-height:40vh;overflow:auto}
.kind{margin:0;color:var(--accent);font-weight:600}
h2{font-size:15px;margin:26px 0 10px}
h3{font-size:12px;margin:14px 0 4px;color:var(--soft);font-weight:600}
.hint{margin:16px 0 0;padding:10px 14px;background:var(--hint);border:1px solid var(--line);
border-left:4px solid var(--hint-line);border-radius:6px}
.hint code{font-weight:600}
.cause{color:var(--accent)}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden}
.frames{list-style:none;margin:0;padding:0}
.frames>li+li{border-top:1px solid var(--line)}
summary{cursor:pointer;padding:9px 14px}
summary:hover{background:var(--code)}
a{color:var(--link)}
a:focus-visible,.raw:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:-2px}
.plain{padding:9px 14px 9px 31px}
.open{margin:0;padding:0 14px 8px 31px}
.function{font-weight:600}
.place{color:var(--soft)}
.folded>summary,.folded li{color:var(--soft);font-size:13px}
.folded ol{list-style:none;margin:0;padding:0 14px 10px 31px}
.folded li{padding:2px 0}
.source{margin:0;padding:8px 0;overflow-x:auto;background:var(--code);border-top:1px solid var(--line);line-height:1.6}
.source code{display:block;width:max-content;min-width:100%}
.row{display:block;padding-right:16px}
.row i{display:inline-block;width:56px;padding-right:14px;margin-right:10px;text-align:right;font-style:normal;
color:var(--soft);border-right:3px solid transparent}
.row.marked{background:var(--mark)}
.row.marked i{border-color:var(--edge);color:var(--ink);font-weight:700}
mark{background:none;color:inherit;font-weight:700;text-decoration:underline 2px var(--edge);text-underline-offset:4px}
.comment{color:var(--comment)}.text{color:var(--text)}.number{color:var(--number)}.keyword{color:var(--keyword)}
.name{color:var(--name)}
.raw{display:block;width:100%;padding:10px 14px;border:0;border-top:1px solid var(--line);background:var(--code);
color:inherit;line-height:1.5;resize:vertical}
.request a{margin-left:auto}
.body{padding:4px 14px 14px}
dl{margin:0;display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr);gap:2px 14px}
dt{color:var(--soft);max-width:160px}
dd{margin:0;white-space:pre-wrap}
.passed{margin:0;padding:10px 14px 12px 34px}
.passed li:last-child{font-weight:600;color:var(--accent)}
.passed .place{display:block;font-weight:400}
footer{color:var(--soft);font-size:13px;padding-top:26px;padding-bottom:40px}
@media (max-width:860px){main{grid-template-columns:minmax(0,1fr)}header,main,footer{padding-left:16px;padding-right:16px}
dt{max-width:110px}
h1{font-size:20px}.row i{width:44px;padding-right:8px;margin-right:8px}}
`;

/** The policy of the page: its own style sheet, by hash, and no scripts, images or forms. */
export const POLICY = `${PAGE_POLICY}; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

"""The style of the page: one column, calm, in light and dark, on a telephone and on paper."""

_LIGHT = (
    "--paper:#fff;--ink:#22262b;--soft:#586069;--line:#d5d9de;--panel:#f3f5f7;--link:#0a58a8;"
    "--good:#14663a;--bad:#9b2c1f;--plus:#0072b2;--minus:#d55e00;"
)
_DARK = (
    "--paper:#181818;--ink:#e6e6e4;--soft:#a8adb3;--line:#3a3e43;--panel:#222427;--link:#7db8f0;"
    "--good:#6fce9a;--bad:#f0958a;--plus:#4fa8e0;--minus:#f08a4b;"
)

_RULES = """
*,::before,::after{box-sizing:border-box}
html{font-size:106.25%;-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;padding:0 1.1rem 4rem;background:var(--paper);color:var(--ink);line-height:1.6;
  font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;overflow-wrap:anywhere}
header,main,footer{max-width:46rem;margin:0 auto}
a{color:var(--link)}
.skip{position:absolute;left:-100rem}
.skip:focus{position:static;display:inline-block;padding:.4rem 0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
h1,h2,h3,dt,dd,nav,table,pre,figcaption,.more,.kind,footer{font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,
  "Helvetica Neue","DejaVu Sans",sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1.1rem;letter-spacing:-.01em}
h2{font-size:1.28rem;line-height:1.3;margin:3.2rem 0 .8rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.8rem 0 .4rem}
p{margin:0 0 .9rem}
.kind{margin:2.6rem 0 0;color:var(--soft);font-size:.8rem;letter-spacing:.04em}
.short{background:var(--panel);border-left:.3rem solid var(--soft);border-radius:.2rem;padding:1.1rem 1.3rem 1.2rem}
.short.good{border-color:var(--good)}
.short.bad{border-color:var(--bad)}
.short p{font-size:1.16rem;line-height:1.45;margin:0 0 1rem}
dl{margin:0;display:grid;gap:.8rem 1.5rem}
dl.few{grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr))}
dl.facts{grid-template-columns:1fr;gap:.3rem;margin:0 0 1.1rem}
dl.facts div{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:0 1.2rem}
dt{color:var(--soft);font-size:.78rem;line-height:1.45}
dd{margin:0;font-size:.95rem;line-height:1.4;
  font-variant-numeric:tabular-nums}
dl.facts dt,dl.facts dd{font-size:.85rem;line-height:1.5}
nav{margin:1.6rem 0 0;font-size:.85rem}
nav ol{margin:.3rem 0 0;padding-left:1.3rem;columns:2 15rem;column-gap:2rem}
nav li{padding:.1rem 0;break-inside:avoid}
nav h2{all:unset;display:block;font-weight:600}
.box{position:relative;overflow-x:auto;max-width:100%;margin:1.1rem 0 .3rem}
.box+p:not(.more){margin-top:.9rem}
.box:focus-visible,pre:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
table{width:max-content;overflow-wrap:break-word;border-collapse:collapse;font-size:.82rem;line-height:1.45;
  font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:0 0 .45rem;caption-side:top;white-space:nowrap}
th,td{max-width:24rem;padding:.28rem 1.1rem .28rem 0;text-align:left;vertical-align:baseline;
  border-top:1px solid var(--line)}
thead th,thead td{max-width:10rem;border-top:0;border-bottom:1.5px solid var(--soft);color:var(--soft);font-weight:600;
  vertical-align:bottom}
tbody th{font-weight:inherit}
th:last-child,td:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
thead .number{white-space:normal}
p .number{text-align:inherit}
.box.wide{max-width:none;margin-left:0}
.pair{display:flex;flex-wrap:wrap;gap:0 4rem}
.more{color:var(--soft);font-size:.8rem;margin:.1rem 0 1.1rem}
.bar{width:9rem;min-width:9rem;vertical-align:middle;
  background:linear-gradient(var(--line),var(--line)) 50% 0/1px 100% no-repeat}
.bar span{display:block;height:.62rem;border-radius:.1rem}
.bar .plus{background:var(--plus);margin-left:50%}
.bar .minus{background:var(--minus);margin-left:auto;margin-right:50%}
pre{background:var(--panel);border-radius:.2rem;padding:.65rem .9rem;overflow-x:auto;font-size:.82rem;
  margin:.3rem 0 1.1rem}
code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace}
figure{margin:1.4rem 0 1.8rem}
.wide{margin-inline:calc(-1*max(0px,(min(60rem,100vw - 4rem) - 100%)/2))}
figure .box{margin:0;text-align:center}
figure svg{display:block;margin:0 auto;max-width:100%;min-width:27rem;height:auto;
  fill:var(--c000000)}
figure svg *{stroke-linejoin:round;stroke-linecap:butt}
figcaption{max-width:46rem;margin:.6rem auto 0;color:var(--soft);font-size:.82rem;line-height:1.5}
figcaption strong{color:var(--ink)}
.note{color:var(--soft);font-style:italic}
footer{margin-top:3.5rem;padding-top:.9rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8rem}
@media (max-width:34rem){
  html{font-size:100%}
  h1{font-size:1.55rem}
  caption{white-space:normal}
  caption span{display:inline-block;position:sticky;left:0;max-width:calc(100vw - 2.4rem)}
  dl.facts div{grid-template-columns:1fr}
  dl.few{grid-template-columns:repeat(auto-fill,minmax(8rem,1fr))}
  .short{padding:.9rem 1rem}
  .bar{width:6rem;min-width:6rem}
}
@media print{
  @page{margin:18mm 16mm}
  html{font-size:10.5pt}
  body{padding:0}
  header,main,footer{max-width:none}
  .skip{display:none}
  h2,h3,caption,thead{break-after:avoid}
  h2{margin-top:1.8rem}
  figure,tr,pre,.short{break-inside:avoid}
  .wide{margin-inline:0}
  .box,pre{overflow:visible}
  pre{white-space:pre-wrap}
  table{width:auto;max-width:100%;font-size:7.5pt;overflow-wrap:anywhere}
  th,td{max-width:none;padding-right:.5rem}
  .number,caption{white-space:normal}
  .bar{width:5rem;min-width:5rem}
  figure svg{min-width:0;max-height:150mm}
  a{color:inherit;text-decoration:none}
  *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
"""


def style(light: str, dark: str) -> str:
    """The style sheet; `light` and `dark` are the colours of the figures on either ground. Paper is light."""
    colours = f":root{{color-scheme:light;{_LIGHT}--c000000:#000;{light}}}"
    at_night = (
        f"@media screen and (prefers-color-scheme:dark){{:root{{color-scheme:dark;{_DARK}--c000000:#e6e6e6;{dark}}}}}"
    )
    return f"{colours}{at_night}{_RULES}"

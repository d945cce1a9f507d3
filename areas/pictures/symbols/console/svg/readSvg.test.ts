import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { Drawing, drawingFaults } from '../../../../../contract/picture/drawing.ts'
import { readSvg } from './readSvg.ts'

const xmlns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inside: string, more = '') => `<svg ${xmlns} viewBox="0 0 100 100" ${more}>${inside}</svg>`
const square = '<path d="M0 0h100v100h-100z" fill="none" stroke="#000"/>'
const fits = Compile(Drawing)
const drawn = (text: string) => {
  const read = readSvg(text)
  if ('refused' in read) throw new Error(read.refused)
  expect([...fits.Errors(read.drawing)]).toEqual([])
  expect(drawingFaults(read.drawing)).toEqual([])
  return read
}

it('draws every shape of SVG as paths of ours, in a box of its own', () => {
  const { drawing, dropped } = drawn(
    svg(`<rect x="10" y="10" width="40" height="20" rx="4"/><circle cx="80" cy="30" r="10"/><ellipse cx="80" cy="70" rx="10" ry="5"/>
      <line x1="0" y1="50" x2="50" y2="50" stroke="red"/><polyline points="0,60 10,70 20,60" fill="none" stroke="#1d8df0"/>
      <polygon points="0,80 20,80 10,100"/><path d="M40 60q10 10 20 0t20 0s10-10 10 0a5 5 0 01-10 10z"/>`),
  )
  expect(dropped).toEqual([])
  expect(drawing).toMatchObject({ width: 96 })
  expect(drawing.parts.map(({ role, stroke }) => [role, stroke])).toEqual([
    ...Array.from({ length: 3 }, () => ['solid', undefined]),
    ['line', '#ff0000'],
    ['line', '#1d8df0'],
    ...Array.from({ length: 2 }, () => ['solid', undefined]),
  ])
})

it('goes by transforms, uses, classes and the colours that groups hand down', () => {
  const { drawing } = drawn(
    svg(`<style>.a { fill: none } .b, .c { stroke: #00f }</style><defs><g id="box"><path d="M0 0H10V10H0Z"/></g></defs>
      <g transform="translate(10 10) scale(2)" class="a b"><use href="#box"/><use xlink:href="#box" x="20"/></g>`),
  )
  expect(drawing).toMatchObject({ width: 96, height: 32 })
  expect(drawing.parts).toMatchObject([
    { role: 'line', stroke: '#0000ff', d: 'M0 0L32 0L32 32L0 32Z' },
    { role: 'line', stroke: '#0000ff', d: 'M64 0L96 0L96 32L64 32Z' },
  ])
})

it('an arc is as round as its circle', () => {
  const { drawing } = drawn(svg('<path d="M0 50A50 50 0 0 1 100 50A50 50 0 1 1 0 50Z"/>'))
  expect([drawing.width, drawing.height]).toEqual([96, 96])
})

it('many small shapes of one look become few parts', () => {
  const many = Array.from({ length: 900 }, (_, i) => `<path d="M${i % 30} ${Math.floor(i / 30)}h1v1z" fill="#111"/>`).join('')
  expect(drawn(svg(many)).drawing.parts).toHaveLength(1)
})

const nested = (depth: number, inside: string) => '<g>'.repeat(depth) + inside + '</g>'.repeat(depth)
const bomb = (depth: number) =>
  `<defs><g id="b0">${square}</g>${Array.from({ length: depth }, (_, i) => `<g id="b${i + 1}">${`<use href="#b${i}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#b${depth}"/>`
const entities = '<!DOCTYPE svg [<!ENTITY a "evil"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'

/** Dropped parts are named; the square beside them stays. */
const namedFiles: [title: string, file: string, what: string][] = [
  ['a script', svg(`<script>evil()</script>${square}`), 'script'],
  ['a script of another file', svg(`<script href="https://evil.example/x.js"/>${square}`), 'script'],
  ['a script in CDATA', svg(`<script><![CDATA[evil()]]></script>${square}`), 'script'],
  ['a script with a prefix', svg(`<s:script xmlns:s="http://www.w3.org/2000/svg">evil()</s:script>${square}`), 'script'],
  ['a script among definitions', svg(`<defs><script>evil()</script></defs>${square}`), 'script'],
  ['what happens on load', svg(square, 'onload="evil()"'), 'handler'],
  ['what happens on a click', svg(`<g ONCLICK="evil()">${square}</g>`), 'handler'],
  ['what happens at the end of an animation', svg(`<g onend="evil()">${square}</g>`), 'handler'],
  [
    'HTML inside',
    svg(`<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="evil()"/></div></foreignObject>${square}`),
    'foreign',
  ],
  ['an iframe', svg(`<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>${square}`), 'foreign'],
  [
    'HTML that calls itself SVG',
    svg(`<h:body xmlns:h="http://www.w3.org/1999/xhtml"><h:script>evil()</h:script></h:body>${square}`),
    'foreign',
  ],
  ['a link to a script', svg(`<a href="javascript:evil()">${square}</a>`), 'link'],
  ['a link to a script, with a prefix', svg(`<a xlink:href="javascript:evil()">${square}</a>`), 'link'],
  ['a link to a script behind a tab', svg(`<a href="java&#9;script:evil()">${square}</a>`), 'link'],
  ['a use of another file', svg(`<use href="https://evil.example/x.svg#a"/>${square}`), 'link'],
  ['a use of a data address', svg(`<use href="data:image/svg+xml;base64,ZXZpbA==#a"/>${square}`), 'link'],
  ['a use of an address without a scheme', svg(`<use href="//evil.example/x.svg#a"/>${square}`), 'link'],
  ['a base outside', svg(square, 'xml:base="https://evil.example/"'), 'link'],
  ['an image', svg(`<image href="https://evil.example/track.png" width="9" height="9"/>${square}`), 'image'],
  ['an image of a filter', svg(`<filter id="f"><feImage href="https://evil.example/track.png"/></filter>${square}`), 'effect'],
  ['a fill from outside', svg(`<g fill="url(https://evil.example/p.svg#p)">${square}</g>`), 'reference'],
  ['a fill from outside, in a style', svg(`<g style="fill: url('https://evil.example/p.svg#p')">${square}</g>`), 'reference'],
  ['a fill from outside, by a class', svg(`<style>.a{fill:url(//evil.example/p)}</style><g class="a">${square}</g>`), 'reference'],
  ['a cursor from outside', svg(`<g cursor="url(https://evil.example/c.cur)">${square}</g>`), 'reference'],
  ['a filter from outside', svg(`<g filter="url(https://evil.example/f.svg#f)">${square}</g>`), 'reference'],
  ['CSS that imports', svg(`<style>@import url("https://evil.example/x.css");</style>${square}`), 'css'],
  ['CSS that imports, in CDATA', svg(`<style><![CDATA[@import 'https://evil.example/x.css'; .a { fill: red }]]></style>${square}`), 'css'],
  ['CSS with a font', svg(`<style>@font-face { font-family: evil; src: url(https://evil.example/f.woff) }</style>${square}`), 'css'],
  ['CSS for every element', svg(`<style>* { fill: url(https://evil.example) }</style>${square}`), 'css'],
  ['a style sheet of another file', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg(square)}`, 'css'],
  ['an animation of a link', svg(`<a><set attributeName="href" to="javascript:evil()"/>${square}</a>`), 'animation'],
  ['an animation with values', svg(`<animate attributeName="href" values="javascript:evil()"/>${square}`), 'animation'],
  ['text', svg(`<text>evil</text>${square}`), 'text'],
  ['a title', svg(`<title>evil</title>${square}`), 'metadata'],
  ['elements of a drawing program', svg(`<x:namedview xmlns:x="http://evil.example/x">evil</x:namedview>${square}`), 'metadata'],
  ['an element that nobody knows', svg(`<evil/>${square}`), 'other'],
  ['a path that ends in words', svg(`<path d="M0 0 evil"/>${square}`), 'broken'],
  ['a colour that is none', svg(`<g fill="evil">${square}</g>`), 'colour'],
]
const refusedFiles: [title: string, file: () => string, why: string][] = [
  ['entities in entities', () => `${entities}${svg(`<text>&b;</text>${square}`)}`, 'entities'],
  [
    'an entity of another file',
    () => `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg(`<text>&a;</text>${square}`)}`,
    'entities',
  ],
  ['an entity that is not declared', () => svg(`<text>&evil;</text>${square}`), 'notXml'],
  ['tags that do not close', () => svg(`<g>${square}`), 'notXml'],
  ['an attribute twice', () => svg('<path d="M0 0L9 9" d="M0 0"/>'), 'notXml'],
  ['HTML', () => '<!DOCTYPE html><html><body onload="evil()"></body></html>', 'notSvg'],
  ['no text at all', () => '', 'notXml'],
  ['a use of itself', () => svg(`<g id="a"><use href="#a"/>${square}</g>`), 'useDepth'],
  ['two uses of each other', () => svg(`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>${square}`), 'useDepth'],
  ['uses of uses of uses', () => svg(bomb(7)), 'tooManyShapes'],
  ['uses twelve deep', () => svg(bomb(12)), 'useDepth'],
  ['100,000 elements', () => svg('<g/>'.repeat(100_000)), 'tooManyNodes'],
  ['101 groups in each other', () => svg(nested(101, square)), 'tooDeep'],
  ['10 MB of path', () => svg(`<path d="M0 0${'L1 1'.repeat(2_600_000)}"/>`), 'tooLarge'],
  ['3 MB of path', () => svg(`<path d="M0 0${'L1 1'.repeat(750_000)}"/>`), 'pathTooLong'],
  ['3 MB of points', () => svg(`<polygon points="${'1 1 '.repeat(750_000)}"/>`), 'pathTooLong'],
  ['coordinates without an end', () => svg('<path d="M0 0L1e308 1e308"/>'), 'geometry'],
  ['a scale without an end', () => svg(`<g transform="scale(1e300)">${square}</g>`), 'geometry'],
  ['a transform that is a script', () => svg(`<g transform="evil(1)">${square}</g>`), 'geometry'],
  ['nothing to draw', () => svg('<g/>'), 'empty'],
  ['shapes that nobody sees', () => svg(`<g display="none">${square}</g>`), 'empty'],
  [
    'more detail than a symbol has',
    () => svg(Array.from({ length: 4000 }, (_, i) => `<path d="M${i} 0h1v${i}z" fill="#${i % 2}f0"/>`).join('')),
    'tooDetailed',
  ],
]

describe('a hostile SVG file', () => {
  it.each(namedFiles)('with %s is drawn without it, and it is named', (_, file, what) => {
    const read = drawn(file)
    expect(read.dropped.map((one) => one.what)).toContain(what)
    expect(read.drawing.parts).toMatchObject([{ role: 'line', d: 'M0 0L96 0L96 96L0 96Z' }])
    expect(JSON.stringify(read)).not.toMatch(/evil|http|javascript|data:|url/i)
  })
  it.each(refusedFiles)('with %s is refused at once', (_, file, why) => {
    const text = file()
    const start = performance.now()
    expect(readSvg(text)).toEqual({ refused: why })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

import { expect, test } from 'vitest'
import { el, svgText } from '../../../../../contract/picture/tree.ts'
import { openFonts } from './fonts.ts'
import { onPaper } from './picture.ts'

const fonts = openFonts(undefined, 'zh')

test('labels of charts that Latin lacks are drawn as shapes, as wide as their characters', ({ skip }) => {
  expect(fonts.outline('Flow 1 (m³/h)', 9)).toBeUndefined()
  skip('missing' in fonts.runs('流量'), 'no font with Chinese characters is installed')
  const [one, two] = [fonts.outline('流', 9)!, fonts.outline('流量', 9)!]
  expect([one.width, two.width]).toEqual([9, 18])
  expect(two.d).toMatch(/^M[-\d. ]+/)
  expect(two.d.length).toBeGreaterThan(one.d.length)
})

test('texts of pictures keep their places in fonts that a PDF has', ({ skip }) => {
  const line = el('text', { 'font-size': 20 }, '流量', el('tspan', { 'font-size': 10 }, ' m³'))
  const drawn = el('svg', { 'font-family': 'system-ui' }, el('g', { 'text-anchor': 'end' }, el('text', { x: 9 }, 'Flow'), line))
  skip('missing' in fonts.runs('流量'), 'no font with Chinese characters is installed')
  const judged: string[] = []
  const svg = svgText(onPaper(drawn, fonts, (text) => judged.push(text)))
  expect(judged).toEqual(['Flow', '流量', ' m³'])
  expect(svg).toContain('<text x="9" font-family="Latin">Flow</text>')
  expect(svg).toMatch(/<path d="M[^"]+" fill="#000" transform="translate\(-5[\d.]+ 0\)">/)
  expect(svg).not.toMatch(/system-ui|流量|tspan/)
})

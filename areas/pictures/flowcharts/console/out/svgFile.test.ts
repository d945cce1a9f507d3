import { expect, it } from 'vitest'
import { colours } from '../../../../../console/theme/tokens.ts'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { loadSymbols } from '../../../../../contract/picture/symbols/index.ts'
import { svgText } from '../../../../../contract/picture/tree.ts'
import { readSvg } from '../../../symbols/console/svg/readSvg.ts'
import { type Seen, svgOf } from '../../svgFile.ts'

const file = `files/1/${'a'.repeat(32)}.png`
const items = [
  { kind: 'symbol', id: 'p', symbol: 'pump.pump', x: 100, y: 100, w: 80, h: 80, acts: [{ do: 'link', path: '/x' }] },
  { kind: 'shape', id: 'r', shape: 'rectangle', x: 300, y: 100, w: 80, h: 80, fill: 'alarm' },
  { kind: 'text', id: 't', x: 0, y: 0, w: 100, h: 20, size: 16, text: '<script>"&' },
  { kind: 'image', id: 'i', x: 0, y: 0, w: 9, h: 9, file },
] as Item[]
const scene: Scene = { ...emptyScene(), items }
const symbols = await loadSymbols(['pump.pump'])
const seen: Seen = { scene, symbols, lookOf: ({ id }) => (id === 'p' ? { driven: { running: 1 } } : {}), viewBox: [0, 0, 1280, 720], at: 0 }
const paper = { colours: colours.light, language: 'en' as const, images: new Map(), stamp: 'Hall, Riverside' }
const text = (more: object = {}) => svgText(svgOf(seen, { ...paper, ...more }))

it('shows values as they are seen, in colours of its own, with name and time below', () => {
  expect(text()).toContain(`fill="${colours.light.alarm}"`)
  expect(text({ colours: colours.dark })).toContain(`fill="${colours.dark.alarm}"`)
  expect(text()).toContain('Hall, Riverside')
  expect(text()).not.toMatch(/var\(|data-turns|tabindex|role="button"|<script|<image/)
})

it('has images with their content, or none', () => {
  const content = 'data:image/png;base64,AA=='
  expect(text({ images: new Map([[`/api/${file}`, content]]) })).toContain(`href="${content}"`)
})

it('is an SVG file that the reader of symbols takes', () => {
  const read = readSvg(text())
  expect('refused' in read ? read.refused : read.drawing.parts.length).toBeGreaterThan(3)
})

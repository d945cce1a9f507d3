import { language, words } from '../../../../../console/words/words.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'

type Made = Record<string, unknown> & { w: number; h: number }
/** Initial properties of items other than symbols. Words at `edit.basic.<name>`. */
export const basics: Readonly<Record<string, () => Made>> = {
  text: () => ({ kind: 'text', text: { [language()]: words('edit.basic.text') }, size: 16, w: 160, h: 24 }),
  value: () => ({ kind: 'value', of: '0', size: 18, w: 120, h: 44 }),
  bar: () => ({ kind: 'indicator', look: 'bar', of: '0', w: 160, h: 16 }),
  column: () => ({ kind: 'indicator', look: 'column', of: '0', w: 16, h: 120 }),
  dial: () => ({ kind: 'indicator', look: 'dial', of: '0', w: 120, h: 120 }),
  deviation: () => ({ kind: 'indicator', look: 'deviation', of: '0', target: '0', w: 160, h: 16 }),
  spark: () => ({ kind: 'indicator', look: 'spark', of: '0', span: '15m', w: 120, h: 32 }),
  trend: () => ({ kind: 'trend', reads: ['0'], span: '1h', w: 360, h: 180 }),
  table: () => ({ kind: 'table', reads: ['0'], w: 260, h: 120 }),
  radar: () => ({ kind: 'table', look: 'radar', reads: ['0', '0', '0'], w: 220, h: 200 }),
  alarms: () => ({ kind: 'alarms', w: 320, h: 120 }),
  clock: () => ({ kind: 'clock', size: 18, w: 120, h: 28 }),
  view: () => ({ kind: 'view', picture: 0, w: 320, h: 180 }),
  button: () => ({ kind: 'input', look: 'button', title: { [language()]: words('edit.basic.button') }, w: 120, h: 36 }),
  switch: () => ({ kind: 'input', look: 'switch', of: '0', w: 56, h: 28, acts: [{ do: 'toggle', of: '0' }] }),
  slider: () => ({ kind: 'input', look: 'slider', of: '0', w: 160, h: 24, acts: [{ do: 'set', of: '0' }] }),
  number: () => ({ kind: 'input', look: 'number', of: '0', w: 120, h: 32, acts: [{ do: 'set', of: '0' }] }),
  rectangle: () => ({ kind: 'shape', shape: 'rectangle', w: 160, h: 100 }),
  ellipse: () => ({ kind: 'shape', shape: 'ellipse', w: 100, h: 100 }),
  line: () => ({ kind: 'shape', shape: 'line', w: 160, h: 0 }),
  polygon: () => ({ kind: 'shape', shape: 'polygon', w: 100, h: 100 }),
}

const grid = (n: number) => Math.round(n / 4) * 4
/** A new item around a position. */
export const itemOf = (made: Made, id: string, [x, y]: readonly [number, number]): Item =>
  ({ ...made, id, x: grid(x - made.w / 2), y: grid(y - made.h / 2) }) as unknown as Item
export const symbolItem = (symbol: PictureSymbol): Made => {
  const scale = Math.max(1, 48 / Math.max(symbol.width, symbol.height))
  const lettered = symbol.letters ? { letters: 'TI' } : {}
  return { kind: 'symbol', symbol: symbol.id, w: grid(symbol.width * scale), h: grid(symbol.height * scale), ...lettered }
}

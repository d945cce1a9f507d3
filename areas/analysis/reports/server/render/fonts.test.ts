import { expect, test } from 'vitest'
import { openFonts } from './fonts.ts'

const fonts = openFonts(undefined, 'zh')

test('labels of charts that Latin lacks are drawn as shapes, as wide as their characters', ({ skip }) => {
  expect(fonts.outline('Flow 1 (m³/h)', 9)).toBeUndefined()
  skip('missing' in fonts.runs('流量'), 'no font with Chinese characters is installed')
  const [one, two] = [fonts.outline('流', 9)!, fonts.outline('流量', 9)!]
  expect([one.width, two.width]).toEqual([9, 18])
  expect(two.d).toMatch(/^M[-\d. ]+/)
  expect(two.d.length).toBeGreaterThan(one.d.length)
})

import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('a text with any separator of a spreadsheet is quoted, and none begins a formula', () => {
  expect(csvLine(['x;=1+1;y', 'a\tb', '\n=1', '＝1'])).toBe(`"x;=1+1;y","a\tb","'\n=1",'＝1\r\n`)
})

import { expect, test } from 'vitest'
import { guarded, unguarded } from './cell.ts'
import { csvLine } from './csv.ts'

test('a text with any separator of a spreadsheet is quoted, and none begins a formula', () => {
  expect(csvLine(['x;=1+1;y', 'a\tb', '\n=1', '＝1', '  =1', '\u3000@a'])).toBe(`"x;=1+1;y","a\tb","'\n=1",'＝1,'  =1,'\u3000@a\r\n`)
})

test('what was marked is the same again on its way back', () => {
  for (const text of ['=1', ' =1', "'=1", "' =1", "''", ' - a', 'a', ' a', "' a"]) expect(unguarded(guarded(text))).toBe(text)
})

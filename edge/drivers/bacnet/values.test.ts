import { expect, test } from 'vitest'
import { pointRow } from '../../testing/rows.ts'
import { tag } from './tags.ts'
import { readingOfElements } from './values.ts'

test('a number of no length, which any device may tell by itself, is a bad value and throws nothing', () => {
  for (const number of [tag.unsigned, tag.enumerated, tag.signed, tag.real, tag.double, tag.text, tag.bits])
    for (const length of [0, 7]) {
      const element = { number, isContext: false, kind: 'value', length, value: Buffer.alloc(length) } as const
      expect(readingOfElements(pointRow(1, 'analogInput:1'), [element], [element]).value).toBeNull()
    }
})

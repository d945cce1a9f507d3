import { expect, test } from 'vitest'
import { word } from '../server/http/words.ts'
import { pluralKey } from './plural.ts'

const has = (...keys: string[]) => keys.includes.bind(keys)

test('a count chooses the form of its language', () => {
  const forms = has('x_one', 'x_other')
  expect([0, 1, 2, '1'].map((count) => pluralKey('en', 'x', { count }, forms))).toEqual(['x_other', 'x_one', 'x_other', 'x_other'])
  expect(pluralKey('es', 'x', { Count: 1 }, forms)).toBe('x_one')
  expect(pluralKey('es', 'x', { count: 1_000_000 }, forms)).toBe('x_other')
  expect(pluralKey('ja', 'x', { count: 1 }, has('x_other'))).toBe('x_other')
  expect(pluralKey('en', 'x', { count: 1 }, has('x'))).toBe('x')
})

test('the server writes counts in every language', () => {
  expect(word('en', 'notice.made.alarmDigest', { Count: 1 })).toBe('1 more alarm message')
  expect(word('en', 'notice.made.alarmDigest', { Count: 2 })).toBe('2 more alarm messages')
  expect(word('es', 'notice.made.alarmDigest', { Count: 1 })).toContain('1 mensaje ')
  expect(word('zh', 'notice.made.alarmDigest', { Count: 1 })).toContain('1')
})

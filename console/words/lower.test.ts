import { expect, it, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }))

import { lower } from './words.ts'

it.each([
  ['Project', 'project'],
  ['E-mail template', 'e-mail template'],
  ['DingTalk robot', 'DingTalk robot'],
  ['Robot de DingTalk', 'robot de DingTalk'],
  ['SMS template', 'SMS template'],
  ['Código de avería', 'código de avería'],
  ['お知らせ', 'お知らせ'],
])('%s inside a sentence is %s', (noun, inside) => expect(lower(noun)).toBe(inside))

import { expect, it } from 'vitest'
import { textIn } from './paint.ts'

it('shows a text in the language of its reader, else in English, else in the one that it has', () => {
  expect(textIn({ en: 'Inlet', ja: '入口' }, 'ja')).toBe('入口')
  expect(textIn({ en: 'Inlet', ja: '入口' }, 'es')).toBe('Inlet')
  expect(textIn({ es: 'Entrada' }, 'ja')).toBe('Entrada')
  expect(textIn('T-101', 'zh')).toBe('T-101')
})

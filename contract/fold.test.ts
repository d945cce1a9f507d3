import { expect, it } from 'vitest'
import { fold, foldFrom, foldTo } from './fold.ts'

it('ignores case, accents, hyphens and spaces', () => {
  expect(fold('High-service  pump_1')).toBe(fold('HIGH SERVICE PUMP 1'))
  expect(fold('Presión de salida')).toBe('presiondesalida')
  expect(fold('Presio\u0301n')).toBe('presion')
  expect([fold('出口 压力'), fold('出口・圧力')]).toEqual(['出口压力', '出口圧力'])
})

it('replaces accented letters by their base letter', () => {
  for (const [i, plain] of [...foldTo].entries()) {
    const base = [...foldFrom][i]!.normalize('NFD')[0]!.toLowerCase()
    expect(base === 'ø' ? 'o' : base, [...foldFrom][i]).toBe(plain)
  }
})

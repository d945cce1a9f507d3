import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from './gateway-config.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, shuffled(v)]),
  )
}

test('the order in which fields were written does not show', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => canonical(shuffled(value)) === canonical(value)))
})

test('the text reads back as the same value', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => canonical(JSON.parse(canonical(value))) === canonical(value)))
})

test('fields without a value are as if they were not there, and arrays keep their order', () => {
  expect(canonical({ b: [2, 1, { z: null, a: 'é' }], a: undefined })).toBe('{"b":[2,1,{"a":"é","z":null}]}')
})

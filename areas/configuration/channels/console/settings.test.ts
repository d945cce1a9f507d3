import { expect, it } from 'vitest'
import { dialledFields } from '../../../../contract/protocols/dialled.ts'
import { protocols } from '../../../../contract/protocols/index.ts'
import words from '../words/en.json' with { type: 'json' }

it('each setting of a protocol has words, its choices and its pattern too', () => {
  const keys = protocols.flatMap(({ channel, device }) =>
    Object.entries({ ...channel, ...device, ...dialledFields }).flatMap(([name, f]) => [
      `setting.${name}`,
      ...(f.kind === 'choice' ? f.of.map((value) => `setting.${name}.${value}`) : []),
      ...(f.kind === 'text' && f.pattern ? [`pattern.setting.${name}`] : []),
    ]),
  )
  expect(keys.filter((key) => !(key in words))).toEqual([])
})

import { expect, it } from 'vitest'
import { linesOf } from './lines.ts'

it('the lines to paste name host, port and token, and no MQTT where the broker cannot say who sends', () => {
  const place = { host: 'plant.example', port: 8421, tls: true, origin: 'https://plant.example', token: 'TOKEN', level: 3 }
  for (const language of [1, 2, 3])
    for (const { text } of linesOf(language, place)) expect([text.includes('plant.example'), text.includes('TOKEN')]).toEqual([true, true])
  expect(linesOf(2, { ...place, port: null }).map(({ name }) => name)).toEqual(['curl'])
})

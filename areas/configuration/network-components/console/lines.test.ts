import { expect, it } from 'vitest'
import { linesOf } from './lines.ts'

it('the lines to paste name host, port and token, and no MQTT where the broker cannot say who sends', () => {
  const place = {
    host: 'plant.example',
    port: 8421,
    tls: true,
    origin: 'https://plant.example',
    token: 'TOKEN',
    level: 3,
    group: 'G',
    edge: 'E',
  }
  for (const language of [1, 2, 3, 4])
    for (const { text } of linesOf(language, place)) expect([text.includes('plant.example'), text.includes('TOKEN')]).toEqual([true, true])
  const station = { port: 9212, transport: 1, MN: '010000A8900016F000169DC0' } as const
  const [settings, netcat] = linesOf(5, { ...place, station })
  expect(settings?.text).toBe('TCP plant.example:9212\nMN=010000A8900016F000169DC0\nPW=TOKEN')
  expect(netcat?.text).toMatch(/^printf '##\d{4}QN=\d{17};.*CP=&&.*&&[0-9A-F]{4}\\r\\n' \| nc -w 3 plant.example 9212$/)
  expect(linesOf(4, place)[0]!.text).toContain('Group ID: G\nEdge Node ID: E')
  const [signed, ...more] = linesOf(2, { ...place, signs: 'F123' })
  expect([signed?.name, more, signed?.text.includes('https://plant.example/api/uplink/F123')]).toEqual(['signed', [], true])
  expect(linesOf(4, { ...place, port: null })).toEqual([])
  expect(linesOf(2, { ...place, port: null }).map(({ name }) => name)).toEqual(['curl'])
})

import { expect, test } from 'vitest'
import { paperOf } from './papers.ts'

test('paper is what is usual in the zone of the company, unless one is chosen', () => {
  const letter = [
    'America/New_York',
    'US/Pacific',
    'America/Toronto',
    'America/Mexico_City',
    'America/Bogota',
    'Asia/Manila',
    'Pacific/Honolulu',
  ]
  const a4 = ['Europe/Madrid', 'Asia/Shanghai', 'Asia/Tokyo', 'America/Sao_Paulo', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5']
  expect(letter.map((zone) => paperOf('auto', zone))).toEqual(letter.map(() => 'Letter'))
  expect(a4.map((zone) => paperOf('auto', zone))).toEqual(a4.map(() => 'A4'))
  expect([paperOf('A5', 'America/New_York'), paperOf('Legal', 'Europe/Madrid')]).toEqual(['A5', 'Legal'])
})

import { expect, test } from 'vitest'
import { demoPlant } from '../../../../contract/demo-plant.ts'
import en from '../words/en.json' with { type: 'json' }
import { boxHeight, boxWidth, parts, pipesOf, sizeOf } from './works.ts'

test('the drawing shows every demo device once but the meters of the energy tree, with existing points', () => {
  const drawn = demoPlant.filter((d) => d.SlaveNumber <= 12)
  expect(parts.map((p) => p.unit).toSorted((a, b) => a - b)).toEqual(drawn.map((d) => d.SlaveNumber))
  for (const { unit, values, level, running = [] } of parts) {
    const names = demoPlant.find((d) => d.SlaveNumber === unit)!.Points.map((p) => p.ParaName)
    expect(names).toEqual(expect.arrayContaining([...values.map((v) => v.point), ...running, ...(level ? [level] : [])]))
  }
})

test.each(['wide', 'tall'] as const)('in the %s drawing objects do not overlap, and pipes connect neighbours', (layout) => {
  const places = parts.map((p) => p[layout])
  for (const [i, a] of places.entries())
    for (const b of places.slice(i + 1)) expect(Math.abs(a.x - b.x) >= boxWidth || Math.abs(a.y - b.y) >= boxHeight).toBe(true)
  for (const d of pipesOf(layout)) expect(d).toMatch(/^M[\d.]+ [\d.]+[HV][\d.]+$/)
  expect(sizeOf('tall').width).toBeLessThan(420)
})

test('objects and values have words', () => {
  for (const { key, values } of parts) {
    expect(en).toHaveProperty([`works.${key}`])
    for (const { label } of values) expect(en).toHaveProperty([`works.label.${label}`])
  }
})

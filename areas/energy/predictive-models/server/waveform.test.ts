import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { randomOf } from '../../analytics/server/learn/random.ts'
import { predictiveRoutes } from './routes.ts'

let kit: Kit
const random = randomOf(3)
beforeAll(async () => {
  kit = await startKit({ areas: () => [(api) => predictiveRoutes(api, {} as never)] })
})
afterAll(() => kit?.close())

const upload = (content: Buffer, query: string) => kit.upload('owner', `/endpoints/waveform?${query}`, content)
type Line = { Name: string; IsFound: number; Frequency: number; Lines: { Frequency: number }[] }
it('a waveform of a damaged outer race of a 6205 at 1797 rpm is found at 107.0 Hz', async () => {
  const rate = 12_800
  const blows = 107.01
  const samples = Array.from({ length: 16_384 }, (_, i) => {
    const since = (((i / rate) * blows) % 1) / blows
    return 2 * Math.exp(-since * 900) * Math.sin(2 * Math.PI * 3000 * since) + 0.1 * (random() - 0.5)
  })
  const bearing = 'Rpm=1797&Balls=9&BallDiameter=7.938&PitchDiameter=38.5'
  const Data = (await upload(Buffer.from(samples.join('\n')), `SampleRate=${rate}&${bearing}`)).Data as {
    Faults: Line[]
    Kurtosis: number
    Envelope: { Values: number[] }
  }
  expect(Data.Faults.map(({ Name, IsFound }) => [Name, IsFound])).toContainEqual(['bpfo', 1])
  const outer = Data.Faults.find(({ Name }) => Name === 'bpfo')!
  expect(outer.Frequency).toBeCloseTo(107.0, 1)
  expect(outer.Lines[0]!.Frequency).toBeCloseTo(107.0, 0)
  expect(Data.Kurtosis).toBeGreaterThan(8)
  expect(Data.Envelope.Values.length).toBeLessThanOrEqual(1024)
})
it('a waveform that cannot be read is refused in words, and one above 20 MB by its size', async () => {
  expect(await upload(Buffer.from('a,b\nc,d'), 'SampleRate=1000')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { file: [expect.stringContaining('not numbers')] } },
  })
  const huge = Array.from({ length: 2000 }, (_, i) => `${i % 7}e300`).join('\n')
  expect(await upload(Buffer.from(huge), 'SampleRate=1000')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { file: expect.anything() } },
  })
  expect(await upload(Buffer.from('1\n2\n3'), 'SampleRate=1000&Balls=9')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { BallDiameter: [expect.any(String)] } },
  })
  expect(await upload(Buffer.alloc(21 * 1024 * 1024, 49), 'SampleRate=1000')).toMatchObject({ StatusCode: 413 })
})

// Coordinates become an area by the map service; its answers are the shape that Baidu documents for reverse geocoding v3.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openGeocoder } from './geocoder.ts'

const asked: URLSearchParams[] = []
const suzhou = { formatted_address: '江苏省苏州市虎丘区', addressComponent: { country: '中国', adcode: '320505' } }
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://map')
  asked.push(searchParams)
  const [lat] = searchParams.get('location')!.split(',').map(Number)
  const body =
    pathname !== '/reverse_geocoding/v3/' || searchParams.get('ak') !== 'map key'
      ? { status: 240, message: 'APP denied' }
      : lat! > 60
        ? { status: 0, result: { formatted_address: '', addressComponent: { adcode: '0' } } }
        : { status: 0, result: suzhou }
  response.end(lat! < 0 ? 'no JSON' : JSON.stringify(body))
})
let kit: Kit
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  kit = await startKit({ geocode: (database) => openGeocoder(database, url) })
})
afterAll(async () => {
  await kit?.close()
  server.close()
})

const post = (more: object, as = 'owner') =>
  kit.call<{ AreaCode: string; Address: string }>(as, 'POST', '/V3/System/CrossRegionSale/SN_Position', {
    SN: 'YC5300000001',
    Source: 1,
    ...more,
  })

it('a position with coordinates gets its area and address where a map key is set, and is refused by field where none answers', async () => {
  const at = { Lng: 120.5, Lat: 31.3 }
  const missing = { StatusCode: 400, Details: { Fields: { AreaCode: [expect.any(String)] } } }
  expect(await post(at)).toMatchObject(missing)
  expect(asked).toEqual([])
  await kit.data('owner', 'PUT', '/System/Enterprise/System', { BaiduKey: 'map key' })
  expect((await post(at)).Data).toMatchObject({ AreaCode: '320505', Address: suzhou.formatted_address, ...at })
  expect(Object.fromEntries(asked[0]!)).toEqual({ ak: 'map key', output: 'json', coordtype: 'wgs84ll', location: '31.3,120.5' })
  expect((await post({ ...at, Address: 'Gate 3' })).Data).toMatchObject({ AreaCode: '320505', Address: 'Gate 3' })
  // A person's entry takes precedence over the map.
  expect((await post({ ...at, AreaCode: '110000' })).Data).toMatchObject({ AreaCode: '110000' })
  for (const wrong of [{}, { Lng: 120 }, { Lng: 25, Lat: 65 }, { Lng: 25, Lat: -10 }]) expect(await post(wrong)).toMatchObject(missing)
  await kit.data('owner', 'PUT', '/System/Enterprise/System', { BaiduKey: 'another' })
  expect(await post(at)).toMatchObject(missing)
})

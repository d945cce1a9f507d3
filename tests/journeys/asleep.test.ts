// A browser tab that sleeps for an hour, as in a closed laptop: its timers stop, its connection drops, and then it wakes.
import mqtt from 'mqtt'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { startLine } from '../cut.ts'
import { type FrontDoor, openFrontDoor, password } from '../front-door.ts'
import { browserPath, openBrowser, openSignedIn, pane, startPenstock, why } from './browser.ts'

const hour = 3_600_000
/** Values that come while it sleeps. */
const missed = 3000

describe.skipIf(!browserPath)(`a tab that was asleep${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let line: Awaited<ReturnType<typeof startLine>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let door: FrontDoor
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO: 'off' })
    line = await startLine(Number(new URL(penstock.origin).port))
    door = await openFrontDoor(penstock.origin)
    browser = await openBrowser(`http://127.0.0.1:${line.port}`)
  })
  afterAll(async () => {
    await browser?.close()
    line?.close()
    await penstock?.close()
  })

  const heap = async (cdp: CDPSession) => {
    await cdp.send('HeapProfiler.collectGarbage')
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find((m) => m.name === 'JSHeapUsedSize')!.value
  }

  it('shows what is, in names and values, and has not grown', async () => {
    const { page } = browser
    const { SN, Key, device } = await door.newGateway('ASLEEP000001', 1)
    const point = await door.data('POST', '/Project/DevPara', { DeviceId: device, ParaName: 'Level', Address: '0' })
    const gateway = await mqtt.connectAsync(`mqtt://127.0.0.1:${penstock.mqttPort}`, { clientId: SN, username: SN, password: Key })
    const say = (value: number) => {
      const T = Date.now()
      const Items = [{ D: device, T, V: { [point.Id]: value } }]
      return gateway.publishAsync(topic(SN, 'up', 'data'), JSON.stringify({ MsgId: `${value}`, Ts: T, Data: { Items } }), { qos: 1 })
    }
    await say(41)
    await page.clock.install()
    await openSignedIn(page, `http://127.0.0.1:${line.port}`, 'admin', password, '/projectManagement/realTimeData')
    const row = (name: RegExp) => pane(page).getByRole('row', { name }).first()
    const shows = (name: RegExp, value: string) => expect.poll(() => row(name).textContent(), { timeout: 60_000 }).toContain(value)
    await shows(/Level/, '41')
    await say(42)
    await shows(/Level/, '42')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const before = await heap(cdp)

    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    line.cut()
    for (let i = 0; i < missed; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => say(1000 + i + k)))
    await door.data('PUT', '/Project/DevPara', { Id: point.Id, ParaName: 'Depth' })
    await say(711)
    line.mend()
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    await page.clock.fastForward(hour)

    await shows(/Depth/, '711')
    await say(712)
    await shows(/Depth/, '712')
    expect(await page.evaluate(() => location.pathname)).toBe('/projectManagement/realTimeData')
    expect((await heap(cdp)) - before).toBeLessThan(20 * 1024 ** 2)
    await gateway.endAsync(true)
  })
})

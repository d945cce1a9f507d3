import { connect } from 'node:net'
import { openFrontDoor, until } from '../tests/front-door.ts'
import { startPanel } from '../tests/rfb-panel.ts'
import { followScreen, openViewer } from '../tests/rfb-viewer.ts'
import { figure, quantile } from './figures.ts'
import { password, startWorld } from './world.ts'

const [width, height, updates] = [320, 200, 300]
type Screen = Pick<ReturnType<typeof followScreen>, 'pictures'>

/** Measures how long a raw picture of 256 kB takes from a panel to a viewer. Bare limit: the same viewer without the bridge. */
export const panels = async () => {
  const panel = await startPanel({ width, height })
  const world = await startWorld(async () => undefined, { PENSTOCK_OUTBOUND: '127.0.0.1/32' })
  const delays = async (viewer: Screen) => {
    await until('the first picture', () => viewer.pictures() > 0)
    const took: number[] = []
    for (let i = 0; i < updates; i++) {
      const [before, start] = [viewer.pictures(), performance.now()]
      panel.paint(i)
      while (viewer.pictures() === before) await new Promise(setImmediate)
      took.push(performance.now() - start)
    }
    return took
  }
  try {
    const direct = connect(panel.port, '127.0.0.1').setNoDelay(true)
    const { read, ...screen } = followScreen((bytes) => direct.write(bytes))
    direct.on('data', read)
    const bare = await delays(screen)
    direct.destroy()
    const door = await openFrontDoor(world.origin, password)
    const { device } = await door.newGateway('BENCHPANEL', 1)
    const draft = { VncName: 'Panel', DeviceId: device, Host: '127.0.0.1', Port: panel.port }
    const { Id } = await door.data('POST', '/Project/DeviceVnc', draft)
    const { Ticket } = await door.data<{ Ticket: string }>('POST', '/Project/DeviceVnc/Open', { Id })
    const viewer = openViewer(world.origin, Ticket)
    const bridged = await delays(viewer)
    viewer.close()
    return [figure('an update of a panel, p95', quantile(bridged, 0.95), 'ms', quantile(bare, 0.95))]
  } finally {
    await world.close()
    await panel.close()
  }
}

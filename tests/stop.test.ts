import { expect, it } from 'vitest'
import { connectHub, startHouse } from './house.ts'

it('the server stops while consoles are looking', async () => {
  const house = await startHouse()
  const hub = await connectHub(house.origin, house.admin)
  const closed = new Promise<void>((resolve) => hub.connection.onclose(() => resolve()))
  await house.close()
  await closed
  expect(hub.connection.state).toBe('Disconnected')
})

// An order closed in the cellar: the phone has no signal, keeps the steps with a photo, and sends each once when the line is back.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, password, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, signIn } from './browser.ts'

type Rows<T> = { Items: T[] }
type History = { History: { Step: string; Desc: string; Files: { FileName: string }[]; ReceivedTime: string | null }[] }

/** In the page: whether an order is kept whole. */
const isKept = () =>
  new Promise<boolean>((done) => {
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const keys = opening.result.transaction('kept').objectStore('kept').getAllKeys()
      keys.onsuccess = () => {
        opening.result.close()
        done(keys.result.some((key) => String(key).includes(' state ')))
      }
    }
  })

/** In the page: the queue as version 1 of the console stored it. */
const asVersionBefore = () =>
  new Promise<void>((done) => {
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const tx = opening.result.transaction('queue', 'readwrite')
      const rows = tx.objectStore('queue').getAll()
      rows.onsuccess = () => {
        for (const { answeredAt: _, ...row } of rows.result) tx.objectStore('queue').put({ ...row, v: 1 })
      }
      tx.oncomplete = () => {
        opening.result.close()
        done()
      }
    }
  })
/** In the page: the last contact with the server was so many days ago. */
const agePhone = (days: number) =>
  new Promise<void>((done) => {
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const tx = opening.result.transaction('kept', 'readwrite')
      const rows = tx.objectStore('kept').getAll()
      rows.onsuccess = () => {
        for (const row of rows.result) tx.objectStore('kept').put({ ...row, time: Date.now() - days * 86_400_000 })
      }
      tx.oncomplete = () => {
        opening.result.close()
        done()
      }
    }
  })

/** In the page: how many days ago the last contact with the server was. */
const daysAlone = () =>
  new Promise<number>((done) => {
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const rows = opening.result.transaction('kept').objectStore('kept').getAll()
      rows.onsuccess = () => {
        opening.result.close()
        done((Date.now() - rows.result.find(({ id }) => String(id).endsWith(' contact')).time) / 86_400_000)
      }
    }
  })

journey('a phone without signal', { company: true }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let order: { Id: number; OrderNo: string }
  let token: string
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    const roles = await door.data<Rows<{ Id: number; RoleName: string; RouteRole: string | null }>>(
      'GET',
      `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`,
    )
    const RoleIds = (name: string) =>
      roles.Items.filter(
        (role) => (role.RouteRole === 'admin') === (name === 'vera') && (name === 'vera' || role.RoleName === 'Technician'),
      ).map((role) => role.Id)
    const ids: number[] = []
    for (const name of ['tomas', 'vera']) {
      const draft = { UserNO: name, UserName: name, EnterpriseId, RoleIds: RoleIds(name) }
      const made = await door.data<{ Id: number; OneTimePwd: string }>('POST', '/System/User', draft)
      const own = await door.login(name, made.OneTimePwd)
      await door.data('POST', '/System/User/SetPwd', { OldPwd: made.OneTimePwd, NewPwd: password }, own)
      ids.push(made.Id)
    }
    const project = await door.data<{ Id: number }>('POST', '/Project/Project', { ProjectName: 'Cellar', EnterpriseId })
    const draft = { Title: 'Sump pump leaks', ProjectId: project.Id, AssignUserId: ids[0] }
    token = await door.login('vera', password)
    order = await door.data('POST', '/Maintenance/MtnMaintenanceOrder', draft, token)
    const post = (path: string, body: object) => door.data<{ Id: number }>('POST', `/Maintenance/${path}`, body, token)
    const { Id: PlaceId } = await post('MtnPlace', { PlaceName: 'Van' })
    const { Id } = await post('MtnComponent', { ComponentName: 'Shaft seal', ComponentNo: 'S-1' })
    await post('MtnComponent/TakeIn', { Id, PlaceId, Qty: 5 })
    await post('MtnMaintenanceOrder/ReservePart', { OrderId: order.Id, ComponentId: Id, Qty: 1 })
  })
  const history = async () =>
    (await door.data<History>('GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${order.Id}`, undefined, token)).History

  it('closes an order offline with a photo, starts again offline, and sends each step once', async () => {
    const phone = await openBrowser(at.penstock.origin, { width: 390, height: 844, known: ['tomas'] })
    const { page } = phone
    const context = page.context()
    // A phone is slow: what is not on it fails while the steps are taken.
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await signIn(page, at.penstock.origin, 'tomas', password, '/maintenanceCenter/workOrder')
    await pane(page).getByRole('button', { name: 'Accept' }).waitFor()
    await until('the files of the build', () =>
      page.evaluate(async () => (await caches.has('penstock-build')) && (await navigator.serviceWorker.getRegistration()) !== undefined),
    )
    await until('the page that is kept', () => page.evaluate(async () => (await caches.match('/console.html')) !== undefined))
    await until('the worker', () => page.evaluate(() => navigator.serviceWorker.controller !== null))

    await until('the order on the phone', () => page.evaluate(isKept))
    await context.setOffline(true)
    await page.reload()
    await pane(page).getByText('No connection.', { exact: false }).waitFor()
    await pane(page).getByRole('button', { name: 'Accept' }).click()
    await pane(page).getByRole('button', { name: 'I am there' }).click()
    await pane(page).getByRole('link', { name: 'Sump pump leaks' }).click()
    const work = pane(page).getByRole('region', { name: 'Parts and labor' })
    await work.getByRole('button', { name: 'Take or reserve' }).click()
    await work.getByRole('button', { name: 'Take', exact: true }).click()
    await work.getByText('Waiting', { exact: true }).waitFor()
    await pane(page).getByRole('button', { name: 'Done' }).click()
    await dialog(page).getByLabel('What was done').fill('New shaft seal')
    // A photo of 4,000 px is small when it leaves.
    const photo = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 4000
      canvas.height = 3000
      const pen = canvas.getContext('2d')!
      for (let i = 0; i < 4000; i++) {
        pen.fillStyle = `hsl(${(i * 37) % 360} 80% 50%)`
        pen.fillRect((i * 911) % 4000, (i * 577) % 3000, 90, 90)
      }
      return canvas.toDataURL('image/png').split(',')[1]!
    })
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'seal.png', mimeType: 'image/png', buffer: Buffer.from(photo, 'base64') })
    await dialog(page).getByText('seal.jpg').waitFor()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await pane(page).getByText('Waiting for check').waitFor()
    await page.goBack()
    await pane(page).getByText('4 steps wait').waitFor()
    await expectFits(page)
    await expectAccessible(page, '.pane:not([inert])')
    expect(await history()).toHaveLength(2)

    // The queue is his alone, and survives the page and an update: as if the version before had queued it.
    await page.evaluate(asVersionBefore)
    await page.reload()
    await pane(page).getByText('4 steps wait').waitFor()
    await context.setOffline(false)
    await until('what was sent', async () => (await history()).length === 6)
    await pane(page).getByText('Steps on this phone').click()
    await pane(page).getByText('Sent', { exact: true }).first().waitFor()
    const steps = await history()
    expect(steps.map(({ Step }) => Step)).toEqual(['open', 'dispatch', 'accept', 'arrive', 'part', 'finish'])
    expect(steps.at(-1)!.Files).toMatchObject([{ FileName: 'seal.jpg' }])
    expect(steps.slice(2).every(({ ReceivedTime }) => ReceivedTime !== null)).toBe(true)

    // Who signs out while a step waits is asked. Orders go, the step stays, and nobody else sees or sends it.
    await context.setOffline(true)
    await pane(page).getByRole('link', { name: 'Sump pump leaks' }).click()
    await pane(page).getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog(page).getByLabel('Your comment').fill('Bring a wider gasket')
    await dialog(page).getByRole('button', { name: 'Comment' }).click()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await dialog(page, '1 step has not been sent').getByRole('button', { name: 'Sign out anyway' }).click()
    await page.waitForURL(/login/)
    await until('nothing that is kept', async () => !(await page.evaluate(isKept)))
    await context.setOffline(false)
    await signIn(page, at.penstock.origin, 'vera', password, '/maintenanceCenter/workOrder')
    await pane(page).getByText('Nothing to do', { exact: false }).waitFor()
    expect(await pane(page).getByText('Bring').count()).toBe(0)
    expect(await history()).toHaveLength(6)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/login/)
    await signIn(page, at.penstock.origin, 'tomas', password)
    await until('the step of before', async () => (await history()).at(-1)!.Desc === 'Bring a wider gasket')
    // After seven days without contact with the server, cached data is no longer read. Reading cached data does not count as contact.
    await page.goto(`${at.penstock.origin}/maintenanceCenter/workOrder`)
    await until('the order on the phone again', () => page.evaluate(isKept))
    await context.setOffline(true)
    await page.evaluate(agePhone, 4)
    await page.reload()
    await pane(page).getByText('No connection.', { exact: false }).waitFor()
    expect(await page.evaluate(daysAlone)).toBeGreaterThan(3.9)
    await page.evaluate(agePhone, 8)
    await page.reload()
    await until('nothing that is kept after a week', async () => !(await page.evaluate(isKept)))
    expect(await page.getByText('Sump pump leaks').count()).toBe(0)
    expect(phone.problems.filter((problem) => !problem.includes('/hub'))).toEqual([])
    await phone.close()
  })
})

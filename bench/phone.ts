// My orders on a phone, in Chromium with a slow processor and a slow line: opened, opened again offline, an order closed, a queue sent.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { queueVersion } from '../console/offline/forms.ts'
import { sleep } from './beside.ts'
import { flags } from './chromium.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { items, seed } from './phone-orders.ts'
import { password, startWorld, type World } from './world.ts'

const screen = '/maintenanceCenter/workOrder'
const [rounds, steps, photos] = [3, 60, 20]
/** Bytes a second of 1.6 Mbit/s with the delay of a mobile line, and of 1 Mbit/s. */
const mobile = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slow = { offline: false, latency: 0, downloadThroughput: 125_000, uploadThroughput: 125_000 }
/** How long a person looks before a tap, and takes for a letter, ms. */
const [looks, letter] = [1500, 150]

type At = { world: World; browser: Browser; token: string }
type Phone = { context: BrowserContext; page: Page; line(of: typeof mobile): Promise<void>; slowed(by: number): Promise<void> }
const openPhone = async ({ browser }: At): Promise<Phone> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en', reducedMotion: 'reduce', hasTouch: true })
  await context.addInitScript(() => {
    localStorage.setItem('penstock.language', 'en')
    localStorage.setItem('penstock.loginHistory', '["manager1"]')
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  return {
    ...{ context, page },
    line: async (of) => void (await session.send('Network.emulateNetworkConditions', of)),
    slowed: async (rate) => void (await session.send('Emulation.setCPUThrottlingRate', { rate })),
  }
}
const pane = (page: Page) => page.locator('.pane:visible')
const shown = (page: Page) => pane(page).getByRole('button', { name: 'Accept' }).first().waitFor()

/** From the press on "sign in" until the orders are there, s. The form before it is not counted. */
const signIn = async ({ world }: At, page: Page) => {
  await page.goto(`${world.origin}/login?redirect=${encodeURIComponent(screen)}`)
  await page.locator('#UserNO').fill('manager1')
  await page.locator('#Pwd').fill(password)
  const began = performance.now()
  await page.locator('button[type=submit]').click()
  await shown(page)
  return (performance.now() - began) / 1000
}
/** The files of the build, the page and the first orders are on the phone. */
const isKept = () =>
  Promise.all([
    caches.match('/console.html'),
    new Promise<boolean>((done) => {
      const opening = indexedDB.open('penstock')
      opening.onsuccess = () => {
        const keys = opening.result.transaction('kept').objectStore('kept').getAllKeys()
        keys.onsuccess = () => {
          opening.result.close()
          done(keys.result.filter((key) => String(key).includes(' state ')).length > 1)
        }
      }
    }),
  ]).then(([html, order]) => Boolean(html) && order && navigator.serviceWorker.controller !== null)
const kept = async (page: Page) => {
  while (!(await page.evaluate(isKept))) await sleep(200)
}

const opened = async (at: At): Promise<Figure[]> => {
  const [first, again]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    const phone = await openPhone(at)
    await phone.line(mobile)
    await phone.slowed(4)
    first.push(await signIn(at, phone.page))
    await phone.line({ ...mobile, downloadThroughput: -1, uploadThroughput: -1, latency: 0 })
    await kept(phone.page)
    await phone.context.setOffline(true)
    const began = performance.now()
    await phone.page.reload({ waitUntil: 'commit' })
    await shown(phone.page)
    again.push((performance.now() - began) / 1000)
    await phone.context.close()
  }
  return [
    figure('my orders opened, CPU x4 slower, 1.6 Mbit/s: first after sign-in', quantile(first, 0.5), 's'),
    figure('the same again, offline', quantile(again, 0.5), 's'),
  ]
}

/** A person's taps and letters, at a person's pace. */
const person = (page: Page) => {
  let taps = 0
  const tap = async (name: string | RegExp, role: 'button' | 'link' = 'button', within = pane(page)) => {
    await sleep(looks)
    taps++
    await within.getByRole(role, { name }).first().click()
  }
  const dialog = page.locator('[role=dialog]').last()
  return {
    tap,
    dialog,
    taps: () => taps,
    /** Says that an item of the checklist is in order. */
    judge: async (item: string) => {
      await sleep(looks)
      taps++
      await dialog
        .getByRole('radiogroup', { name: `${item}: OK or not` })
        .getByText('OK', { exact: true })
        .click()
    },
    write: async (label: string, text: string) => {
      taps++
      await dialog.getByLabel(label).pressSequentially(text, { delay: letter })
    },
    photo: async (buffer: Buffer) => {
      // One tap on the field, and one on the shutter.
      taps += 2
      await sleep(2 * looks)
      await dialog.locator('input[type=file]').setInputFiles({ name: 'seal.png', mimeType: 'image/png', buffer })
      await dialog.getByText('seal.jpg').waitFor()
    },
  }
}
/** A picture of so many pixels that does not compress well. */
const pictureOf = async (page: Page, type: string, side = 1600, quality = 0.5) =>
  Buffer.from(
    await page.evaluate(
      ([type, side, quality]) => {
        const canvas = document.createElement('canvas')
        canvas.width = side
        canvas.height = side * 0.75
        const pen = canvas.getContext('2d')!
        for (let i = 0; i < 2500; i++) {
          pen.fillStyle = `hsl(${Math.random() * 360} 80% 50%)`
          pen.fillRect(Math.random() * side, Math.random() * side, 60, 60)
        }
        return canvas.toDataURL(type, quality).split(',')[1]!
      },
      [type, side, quality] as const,
    ),
    'base64',
  )

const closed = async (at: At): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [n, isOffline] of [false, true].entries()) {
    const { context, page } = await openPhone(at)
    await signIn(at, page)
    await kept(page)
    const picture = await pictureOf(page, 'image/png')
    if (isOffline) {
      await context.setOffline(true)
      await page.reload()
      await shown(page)
    }
    const p = person(page)
    const began = performance.now()
    await p.tap('Accept')
    await p.tap('I am there')
    await p.tap(`Pump ${n + 1} leaks`, 'link')
    const work = pane(page).getByRole('region', { name: 'Parts and labor' })
    await p.tap('Take or reserve', 'button', work)
    await p.tap(/^Take$/, 'button', work)
    await work
      .getByText(isOffline ? 'Waiting' : '1 pcs taken')
      .first()
      .waitFor()
    await p.tap('Done')
    for (const item of items) await p.judge(item)
    await p.write('What was done', 'New shaft seal')
    await p.photo(picture)
    await p.tap('Done', 'button', p.dialog)
    await pane(page).getByRole('article').getByText('Waiting for check').waitFor()
    const name = `order closed on a phone with checklist, photo and part, ${isOffline ? 'offline' : 'online'}`
    figures.push(figure(name, (performance.now() - began) / 1000, 's'), figure(`${name}: taps`, p.taps(), 'taps'))
    await context.close()
  }
  return figures
}

/** In the page: puts steps and photos into the queue, as `addStep` and `keepPhoto` do. Answers the bytes of both. */
const fillQueue = ([version, owner, orderId, count, pictures]: readonly [number, string, number, number, readonly string[]]) =>
  new Promise<number>((done) => {
    let bytes = 0
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const tx = opening.result.transaction(['queue', 'photos'], 'readwrite')
      for (let i = 0; i < count; i++) {
        const name = `bench-photo-${i}-${Date.now()}`
        const picture = pictures[i]
        if (picture) {
          const blob = new Blob([Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))], { type: 'image/jpeg' })
          bytes += blob.size
          tx.objectStore('photos').put({ key: name, owner, blob, name: `photo ${i}.jpg`, path: null, time: Date.now() })
        }
        const Files = picture ? { Files: [{ FilePath: `local:${name}`, FileName: `photo ${i}.jpg` }] } : {}
        const body = { OrderId: orderId, Step: 'comment', Desc: `Comment ${i} of a day without signal`, ...Files }
        bytes += JSON.stringify(body).length
        tx.objectStore('queue').add({
          ...{
            v: version,
            key: `bench-step-${i}-${Date.now()}`,
            owner,
            path: '/Maintenance/MtnMyOrder/LateStep',
            body,
            takenAt: Date.now(),
          },
          ...{ title: 'Pump', step: 'order.step.comment', state: 'waiting', reason: null, applied: null, answeredAt: null },
        })
      }
      tx.oncomplete = () => {
        opening.result.close()
        done(bytes)
      }
    }
  })
const waiting = () =>
  new Promise<number>((done) => {
    const opening = indexedDB.open('penstock')
    opening.onsuccess = () => {
      const rows = opening.result.transaction('queue').objectStore('queue').getAll()
      rows.onsuccess = () => {
        opening.result.close()
        done(rows.result.filter(({ state }) => state === 'waiting').length)
      }
    }
  })

const sent = async (at: At): Promise<Figure[]> => {
  const { world, token } = at
  const { context, page, line } = await openPhone(at)
  await signIn(at, page)
  await kept(page)
  const { Items } = await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Maintenance/MtnMyOrder?PageSize=1')
  const order = Items[0]!.Id
  const owner = await page.evaluate(() => localStorage.getItem('penstock.offline') ?? '')
  const pictures: string[] = []
  for (let i = 0; i < photos; i++) {
    for (const quality of [0.6, 0.5, 0.4, 0.3, 0.2]) {
      const picture = await pictureOf(page, 'image/jpeg', 1600, quality)
      if (picture.length > 200 * 1024) continue
      pictures.push(picture.toString('base64'))
      break
    }
  }
  await context.setOffline(true)
  const bytes = await page.evaluate(fillQueue, [queueVersion, owner, order, steps, pictures] as const)
  await page.reload()
  await pane(page).getByText(`${steps} steps wait`).waitFor()
  const began = performance.now()
  await context.setOffline(false)
  await line(slow)
  while ((await page.evaluate(waiting)) > 0) await sleep(100)
  const took = (performance.now() - began) / 1000
  type History = { History: { Step: string; Desc: string; Files: unknown[] }[] }
  const { History } = await world.call<History>(token, 'GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${order}`)
  const comments = History.filter(({ Step }) => Step === 'comment')
  await context.close()
  return [
    figure(`${steps} steps and ${photos} photos sent at 1 Mbit/s`, took, 's', (bytes * 8) / 1e6),
    figure('of these, in the history once', new Set(comments.map(({ Desc }) => Desc)).size, 'steps', comments.length),
    figure(
      'photos of them',
      comments.reduce((sum, { Files }) => sum + Files.length, 0),
      'photos',
      photos,
    ),
  ]
}

const parts: Record<string, (at: At) => Promise<Figure[]>> = { opened, closed, sent }

/** BENCH_PARTS narrows it: opened, closed, sent. */
export const phone = async (): Promise<Figure[]> => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: the phone is not measured.')
    return []
  }
  const asked = Object.keys(parts).filter((part) => process.env.BENCH_PARTS?.split(',').includes(part) ?? true)
  if (!asked.length) return []
  const world = await startWorld(seed, { PENSTOCK_CALLS_PER_SECOND: '0' })
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const figures: Figure[] = []
    for (const part of asked) figures.push(...(await parts[part]!({ world, browser, token: await world.login('manager1') })))
    return figures
  } finally {
    await browser.close()
    await world.close()
  }
}

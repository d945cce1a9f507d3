import { openDuckDbStore } from './duckdbStore.ts'

/** Appends until it is killed, settling all the while; prints the number of each reading once it is acknowledged. */
const [folder = '', from = '0'] = process.argv.slice(2)
let next = Number(from)
const start = Date.UTC(2026, 0, 1)
const step = 7_200_000
const store = await openDuckDbStore({
  folder,
  clock: () => start + next * step,
  log: (problem, error) => console.error(problem, error),
  hotRows: 300,
})
console.log('open')
let settling = false
for (;;) {
  const rows = Array.from({ length: 20 }, () => {
    const i = next++
    return { point: (i % 5) + 1, time: start + i * step - (i % 7 === 0 ? 40 * step : 0) + (i % 11), value: i, quality: 0, live: i % 3 > 0 }
  })
  await store.append(rows)
  console.log(next)
  if (!settling) {
    settling = true
    void store.settle(next % 200 === 0 ? 'now' : undefined).then(() => {
      settling = false
    })
  }
}

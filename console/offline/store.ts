// IndexedDB of this browser. Every row belongs to a tenant and user.
const stores = { kept: 'id', pictures: 'id', photos: 'key', queue: 'seq' } as const
type Store = keyof typeof stores

let opened: Promise<IDBDatabase> | undefined
const open = () =>
  (opened ??= new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open('penstock', 1)
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(stores))
        request.result.createObjectStore(name, { keyPath, autoIncrement: name === 'queue' })
    }
    request.onsuccess = () => {
      // Another tab with a newer version needs the database.
      request.result.onversionchange = () => {
        request.result.close()
        opened = undefined
      }
      done(request.result)
    }
    request.onerror = () => {
      opened = undefined
      fail(request.error)
    }
  }))

/** Runs one transaction; resolves with the result of the request after the commit. */
const run = async <T>(
  names: Store[],
  mode: IDBTransactionMode,
  work: (of: (name: Store) => IDBObjectStore) => IDBRequest<T> | undefined,
) => {
  const db = await open()
  return new Promise<T | undefined>((done, fail) => {
    const tx = db.transaction(names, mode)
    const request = work((name) => tx.objectStore(name))
    tx.oncomplete = () => done(request?.result)
    tx.onerror = () => fail(tx.error)
    tx.onabort = () => fail(tx.error)
  })
}

export const getRow = <T>(store: Store, id: IDBValidKey) => run([store], 'readonly', (of) => of(store).get(id) as IDBRequest<T | undefined>)
/** Reads several rows in one transaction: on a slow phone, a transaction per row would multiply the time. */
export const getAll = async <T>(store: Store, ids: readonly IDBValidKey[]): Promise<(T | undefined)[]> => {
  let requests: IDBRequest<T | undefined>[] = []
  await run([store], 'readonly', (of) => {
    requests = ids.map((id) => of(store).get(id))
    return requests[0]
  })
  return requests.map(({ result }) => result)
}
export const getRows = async <T>(store: Store) => (await run([store], 'readonly', (of) => of(store).getAll() as IDBRequest<T[]>)) ?? []
export const putRow = (store: Store, row: object) => run([store], 'readwrite', (of) => of(store).put(row))
export const removeRow = (store: Store, id: IDBValidKey) => run([store], 'readwrite', (of) => of(store).delete(id))
/** Removes a step of the queue with its photos. */
export const removeStep = (seq: number, photos: readonly string[]) =>
  run(['queue', 'photos'], 'readwrite', (of) => {
    for (const key of photos) of('photos').delete(key)
    return of('queue').delete(seq)
  })
export const clearStores = (names: Store[]) =>
  run(names, 'readwrite', (of) => {
    for (const name of names) of(name).clear()
    return undefined
  })

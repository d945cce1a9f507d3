// Whether any process of a cluster runs, in any container: its processes inherit a listening socket, which the kernel closes with the
// last of them. Numbers in postmaster.pid mean nothing in another container.
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

const name = 'running.socket'
/** Paths of sockets have at most 107 bytes, 103 on macOS. Linux gets to longer ones through an open folder. */
const longest = 103

const within = async <T>(folder: string, work: (path: (file: string) => string) => Promise<T>): Promise<T> => {
  const handle = openSync(folder, 'r')
  try {
    return await work((file) => (process.platform === 'linux' ? `/proc/self/fd/${handle}/${file}` : join(folder, file)))
  } finally {
    closeSync(handle)
  }
}
/** Windows has no such sockets. */
const isPossible = (folder: string) =>
  process.platform === 'linux' || (process.platform !== 'win32' && Buffer.byteLength(join(folder, `${name}.new`)) <= longest)

/** When in doubt, it runs. A socket without a listener refuses; one whose queue is full does not. */
export const clusterRuns = async (folder: string): Promise<boolean> => {
  if (!isPossible(folder)) return false
  return within(
    folder,
    (path) =>
      new Promise((answer) => {
        const client = connect({ path: path(name) })
        client.once('connect', () => answer(true)).once('connect', () => client.destroy())
        client.once('error', (error: NodeJS.ErrnoException) => answer(error.code !== 'ENOENT' && error.code !== 'ECONNREFUSED'))
      }),
  )
}

/** For the first process of a cluster to inherit. None where the file system knows no sockets. The caller has the lock on the folder. */
export const openClusterSocket = async (folder: string): Promise<{ handle: number; close(): void } | undefined> => {
  if (!isPossible(folder)) return undefined
  return within(folder, async (path) => {
    const fresh = path(`${name}.new`)
    rmSync(fresh, { force: true })
    const server = createServer()
    const isOpen = await new Promise<boolean>((answer) => {
      server.once('error', () => answer(false)).listen({ path: fresh }, () => answer(true))
    })
    if (!isOpen) return undefined
    // Under its name it stays when our own handle is closed.
    renameSync(fresh, path(name))
    return { handle: (server as Server & { _handle: { fd: number } })._handle.fd, close: () => server.close() }
  })
}

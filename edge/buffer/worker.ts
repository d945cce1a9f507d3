// Commits of the queue wait for the disk. A separate thread keeps them from delaying polling and the uplink.
import { parentPort, workerData } from 'node:worker_threads'
import { freezePrototypes } from '../../contract/prototypes.ts'
import { type Change, openQueue } from './queue.ts'

export type Request =
  | { id: number; call: 'apply'; changes: Change[] }
  | { id: number; call: 'chunk'; afterSeq: number; maxBytes: number }
  | { id: number; call: 'limit'; maxBytes: number }
  | { id: number; call: 'commands' | 'stats' | 'close' }

freezePrototypes()
const { file, maxBytes } = workerData as { file: string; maxBytes: number }
const queue = openQueue(file, maxBytes)

const serve = (request: Request) => {
  switch (request.call) {
    case 'apply':
      return queue.apply(request.changes)
    case 'chunk':
      return { ...queue.chunk(request.afterSeq, request.maxBytes), stats: queue.stats() }
    case 'limit':
      return queue.setLimit(request.maxBytes)
    case 'commands':
      return queue.commands()
    case 'stats':
      return queue.stats()
    case 'close':
      return queue.close()
  }
}

parentPort!.on('message', (request: Request) => {
  parentPort!.postMessage({ id: request.id, answer: serve(request) })
  if (request.call === 'close') parentPort!.close()
})

// Answers days of the plant's past to the process that started it, and ends with it. Others come first.
import { setPriority } from 'node:os'
import { type Asked, historyOf } from './history.ts'

setPriority(10)
process.on('message', (asked: Asked) => void process.send!(historyOf(asked)))
process.once('disconnect', () => process.exit(0))

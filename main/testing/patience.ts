// vi.waitFor gives up after a second, which a busy machine may need for one query. A condition that never comes true is still an error.
import { vi } from 'vitest'

const waitFor = vi.waitFor
const patient: typeof vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 60_000, ...options })

// Files that share a process each run this.
if (!('isPatient' in waitFor)) vi.waitFor = Object.assign(patient, { isPatient: true })

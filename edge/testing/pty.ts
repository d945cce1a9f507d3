// A serial line on this machine: a path that a driver opens, and what is at its other end.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./serial_line.py', import.meta.url))

/** Whether this machine can make such lines. */
export const hasPty = (() => {
  try {
    execFileSync('python3', ['-c', 'import pty'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** `heard` receives what the driver sends. */
export const openPty = async (heard: (bytes: Buffer) => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-pty-'))
  const path = join(folder, 'ttyT0')
  let child: ChildProcessWithoutNullStreams
  const plug = async () => {
    child = spawn('python3', [script, path])
    child.stdout.on('data', heard)
    child.stdin.on('error', () => undefined)
    const [said] = (await once(child.stderr, 'data')) as [Buffer]
    if (said.toString() !== 'ready\n') throw new Error(said.toString())
  }
  const unplug = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    rmSync(path, { force: true })
  }
  await plug()
  return {
    path,
    say: (bytes: Buffer) => void child.stdin.write(bytes),
    plug,
    unplug,
    close: async () => {
      await unplug().catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

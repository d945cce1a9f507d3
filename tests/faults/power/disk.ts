// A folder on a disk that loses, when the power is cut, whatever was not synced (shim.c says what that is).
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packaged } from '../../../server/database/embedded.ts'
import { pause } from '../tiers.ts'

const source = join(import.meta.dirname, 'shim.c')
/** Bytes that a disk writes or does not write. */
const block = 4096

const compile = (folder: string) => {
  const shim = join(folder, 'shim.so')
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', shim, source, '-ldl'], { stdio: 'pipe' })
  return shim
}
const canCompile = () => {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** Whether power can be cut here; otherwise the reason, for the name of the skipped test. */
export const hasShim = process.platform === 'linux' && canCompile()
export const why = hasShim ? '' : '(skipped: needs Linux and a C compiler) '

const parentOf = (pid: number) => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    return undefined
  }
}
const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((p) => p > 0 && parentOf(p) === pid)
/** Ended, or only its number is left. */
const isGone = (pid: number) => {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

export type PowerDisk = ReturnType<typeof powerDisk>

/** `lost`: nothing comes to the disk without a sync. `torn`: of what was written since, some blocks do, as a busy disk has them. */
export type Manner = 'lost' | 'torn'

export const powerDisk = () => {
  const base = mkdtempSync(join(tmpdir(), 'penstock-power-'))
  chmodSync(base, 0o711)
  const [folder, shadow, bin] = [join(base, 'data'), join(base, 'disk'), join(base, 'bin')]
  const [by, tree] = [join(shadow, 'by'), join(shadow, 'tree')]
  const shim = compile(base)
  const open = (path: string) => {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o777)
  }
  const clean = () => {
    rmSync(shadow, { recursive: true, force: true })
    for (const path of [shadow, by, tree]) open(path)
  }
  mkdirSync(folder)
  clean()
  const numberOf = (path: string) => {
    const { dev, ino } = lstatSync(path)
    return join(by, `${dev.toString(16)}-${ino.toString(16)}`)
  }
  const variables = (lies: boolean) => ({
    LD_PRELOAD: shim,
    POWER_ROOT: folder,
    POWER_SHADOW: shadow,
    ...(lies ? { POWER_IGNORE: '1' } : {}),
  })

  /** Everything that is in the folder is on disk. */
  const settle = () => {
    clean()
    const walk = (path: string, at: string) => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const [live, name] = [join(path, entry.name), join(at, entry.name)]
        if (entry.isDirectory()) {
          open(name)
          walk(live, name)
        } else if (entry.isFile()) {
          const file = numberOf(live)
          copyFileSync(live, file)
          const { uid, gid } = lstatSync(live)
          chownSync(file, uid, gid)
          linkSync(file, name)
        }
      }
    }
    walk(folder, tree)
  }

  /** Blocks of `live` that reached the disk without a sync: some existing ones, and the first appended ones. */
  const tear = (live: Buffer, path: string) => {
    const disk = readFileSync(path)
    const added = Math.floor(Math.max(0, live.length - disk.length) * Math.random())
    const file = openSync(path, 'r+')
    for (let at = 0; at < disk.length; at += block) {
      const part = live.subarray(at, Math.min(at + block, disk.length))
      if (part.length && Math.random() < 0.5) writeSync(file, part, 0, part.length, at)
    }
    if (added) writeSync(file, live, disk.length, added, disk.length)
    if (live.length < disk.length && Math.random() < 0.5) ftruncateSync(file, live.length)
    closeSync(file)
  }

  /** The folder as the disk has it. Owners and modes are those of the files that were there. */
  const restore = (manner: Manner) => {
    const next = join(base, 'next')
    const like = (path: string, live: string, standard: string) => {
      const { uid, gid, mode } = lstatSync(existsSync(live) ? live : standard)
      chownSync(path, uid, gid)
      chmodSync(path, mode & 0o777)
    }
    const walk = (at: string, live: string, to: string) => {
      mkdirSync(to)
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        const [from, was, path] = [join(at, entry.name), join(live, entry.name), join(to, entry.name)]
        if (entry.name.endsWith('.powercut')) continue
        if (entry.isDirectory()) walk(from, was, path)
        else {
          copyFileSync(from, path)
          const same = existsSync(was) && existsSync(numberOf(was)) && lstatSync(numberOf(was)).ino === lstatSync(from).ino
          if (manner === 'torn' && same) tear(readFileSync(was), path)
          like(path, was, from)
        }
      }
      like(to, live, folder)
    }
    rmSync(next, { recursive: true, force: true })
    walk(tree, folder, next)
    rmSync(folder, { recursive: true })
    renameSync(next, folder)
    settle()
  }

  return {
    folder,
    settle,
    /** Environment variables for a program; `lies`: on a disk whose syncs do nothing. */
    env: (lies = false) => {
      // PostgreSQL's own environment is made for it: its programs bring this along.
      rmSync(bin, { recursive: true, force: true })
      mkdirSync(bin)
      const sets = Object.entries(variables(lies)).map(([name, value]) => `${name}='${value}'`)
      for (const program of ['postgres', 'initdb', 'pg_ctl'])
        writeFileSync(join(bin, program), `#!/bin/sh\n${sets.join(' ')} exec '${join(packaged(), program)}' "$@"\n`, { mode: 0o755 })
      return { ...variables(lies), POSTGRES_BIN: bin }
    },
    /** Ends these programs, and PostgreSQL if it runs here, in one moment, and leaves the folder as its disk has it. */
    cut: async (pids: readonly number[], manner: Manner) => {
      writeFileSync(join(shadow, 'cut'), '')
      const lock = join(folder, 'postgres/cluster/postmaster.pid')
      const postmaster = existsSync(lock) ? [Number(readFileSync(lock, 'utf8').split('\n')[0])] : []
      const doomed = [...pids, ...postmaster, ...postmaster.flatMap(childrenOf)]
      for (const pid of doomed)
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has gone with its parent.
        }
      while (!doomed.every(isGone)) await pause(10)
      restore(manner)
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

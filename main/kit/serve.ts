import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createServer, type InlineConfig, preview } from 'vite'
import config from './vite.config.ts'

type Behind = { penstock: string; password: string }
/** The page signs in as the administrator of the Penstock behind it. */
const inFrontOf = ({ penstock, password }: Behind): InlineConfig => ({
  ...config,
  configFile: false,
  define: { kitPassword: JSON.stringify(password) },
  server: { ...config.server, proxy: { '/api': { target: penstock, ws: true } } },
})

/** Serves the kit from its sources: a change shows without a reload. */
export const serveKit = async (behind: Behind) => {
  const vite = await createServer(inFrontOf(behind))
  await vite.listen()
  return { address: vite.resolvedUrls!.local[0]!, close: () => vite.close() }
}

/** Builds the kit and serves that, which loads in a fraction of the time. */
export const serveBuiltKit = async (behind: Behind) => {
  const outDir = await mkdtemp(join(tmpdir(), 'penstock-kit-'))
  const settings: InlineConfig = {
    ...inFrontOf(behind),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, minify: false, target: 'es2022', reportCompressedSize: false },
  }
  await build(settings)
  const { proxy, host } = settings.server!
  const vite = await preview({ ...settings, preview: { port: 0, host, proxy } })
  const close = async () => {
    await vite.close()
    await rm(outDir, { recursive: true, force: true })
  }
  return { address: vite.resolvedUrls!.local[0]!, close }
}

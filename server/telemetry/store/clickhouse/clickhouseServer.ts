import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Debian's server, where it is installed. */
export const clickhouseServer = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  .map((folder) => join(folder, 'clickhouse-server'))
  .find((path) => existsSync(path))

/** Debian's ZooKeeper, if it and Java are installed. */
export const zookeeperJar = ['/usr/share/java/zookeeper.jar'].find((path) => existsSync(path) && existsSync('/usr/bin/java'))

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Kills a server of tests, and removes its folder. */
const ending = (folder: string, server: () => ChildProcess | undefined) => {
  const stop = async () => {
    const running = server()
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const over = new Promise((done) => running.once('exit', done))
    running.kill('SIGKILL')
    await over
  }
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { stop, remove }
}

/** A server of one test file on free ports in a temporary folder. `zookeeper`: port of the ZooKeeper for replicated tables. */
export const startClickHouse = async (path: string, zookeeper?: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-clickhouse-'))
  const [http, tcp, interserver] = [await freePort(), await freePort(), await freePort()]
  const replicated = zookeeper
    ? `<zookeeper><node><host>127.0.0.1</host><port>${zookeeper}</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
    <interserver_http_port>${interserver}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>`
    : ''
  const config = `<yandex><logger><level>error</level><console>1</console></logger>
    <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
    <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
    <format_schema_path>${folder}/schemas/</format_schema_path><mark_cache_size>67108864</mark_cache_size>
    <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
    ${replicated}</yandex>`
  const users = `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
    <networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`
  await writeFile(join(folder, 'config.xml'), config)
  await writeFile(join(folder, 'users.xml'), users)
  const url = `http://127.0.0.1:${http}`
  let server: ChildProcess | undefined
  const start = async () => {
    const started = spawn(path, [`--config-file=${join(folder, 'config.xml')}`], { cwd: folder, stdio: 'ignore' })
    server = started
    for (let tries = 0; tries < 300; tries++) {
      if (started.exitCode !== null) throw new Error(`clickhouse-server ended with ${started.exitCode}`)
      const up = await fetch(`${url}/ping`).then(
        (r) => r.ok,
        () => false,
      )
      if (up) return
      await sleep(100)
    }
    throw new Error('clickhouse-server did not answer within 30 s')
  }
  await start()
  return { url, start, ...ending(folder, () => server) }
}

/** A ZooKeeper of one test file. */
export const startZooKeeper = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-zookeeper-'))
  const port = await freePort()
  await writeFile(
    join(folder, 'zoo.cfg'),
    `tickTime=500\ndataDir=${folder}\nclientPort=${port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n`,
  )
  let server: ChildProcess | undefined
  const start = async () => {
    const options = ['-Xmx128m', '-cp', '/etc/zookeeper/conf:/usr/share/java/*', 'org.apache.zookeeper.server.ZooKeeperServerMain']
    server = spawn('java', [...options, join(folder, 'zoo.cfg')], { stdio: 'ignore' })
    for (let tries = 0; tries < 300; tries++) {
      const up = await new Promise<boolean>((done) => {
        const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false))
        socket.once('connect', () => socket.destroy())
      })
      if (up) return
      await sleep(100)
    }
    throw new Error('ZooKeeper did not answer within 30 s')
  }
  await start()
  return { port, start, ...ending(folder, () => server) }
}

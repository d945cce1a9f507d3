import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { createElement as e } from 'react'
import { renderToString } from 'react-dom/server'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.PENSTOCK_URL ?? 'http://127.0.0.1:8420'

/** The server sends what lies beside a file under its name with `.br` or `.gz`; without TLS browsers take the latter only. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle: ({ dir }) => {
    const assets = join(dir!, 'assets')
    for (const name of readdirSync(assets)) {
      const path = join(assets, name)
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      writeFileSync(`${path}.gz`, gzipSync(content))
    }
  },
}

/** What somebody who is signed in needs for any screen, by the names of the groups below. */
const needed = ['shell', 'parts', 'lists', 'antdRules']
/**
 * A second page for all addresses but the login's (server/http/console.ts): it names these files, which are otherwise asked for one after
 * the other, each when the one before has been read.
 */
const named: Plugin = {
  name: 'named',
  writeBundle: ({ dir }, files) => {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk' && needed.includes(file.name))
    const links = chunks.flatMap((file) => [
      `<link rel="modulepreload" crossorigin href="/${file.fileName}">`,
      ...[...(file.type === 'chunk' ? (file.viteMetadata?.importedCss ?? []) : [])].map(
        (style) => `<link rel="stylesheet" crossorigin href="/${style}">`,
      ),
    ])
    const page = readFileSync(join(dir!, 'index.html'), 'utf8')
    writeFileSync(join(dir!, 'console.html'), page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`))
  },
}

// The same copies of the library and of its styles: the one for Node has a cache of its own otherwise.
const require = createRequire(import.meta.url)
const antd: typeof import('antd') = require('antd')
const { createCache, extractStyle, StyleProvider }: typeof import('@ant-design/cssinjs') = require('@ant-design/cssinjs')

const rows = [{ key: 1, name: '' }]
const options = [{ value: 1, label: '' }]
const items = [{ key: 'a', label: '', children: [{ key: 'b', label: '' }] }]
const {
  App,
  Badge,
  Breadcrumb,
  Button,
  Checkbox,
  ConfigProvider,
  Dropdown,
  Empty,
  Form,
  Input,
  Menu,
  Modal,
  Pagination,
  Select,
  Space,
  Spin,
} = antd
const { Table, Tabs, Tooltip } = antd
const drawn = () =>
  e(App, { component: false }, [
    e(Menu, { key: 1, items, mode: 'inline', openKeys: ['a'] }),
    e(Menu, { key: 2, items, mode: 'vertical' }),
    e(Tooltip, { key: 3, title: '-' }, e(Button, { icon: '-' })),
    e(Dropdown, { key: 4, menu: { items } }, e('a')),
    e(Breadcrumb, { key: 5, items: [{ title: '-' }] }),
    e(Badge, { key: 6, count: 1 }),
    e(Input, { key: 7, prefix: '-', allowClear: true }),
    e(Input.Search, { key: 8 }),
    e(Select, { key: 9, options, mode: 'multiple' }),
    e(Table, {
      key: 10,
      dataSource: rows,
      columns: [{ dataIndex: 'name', sorter: true }],
      rowSelection: {},
      pagination: { showSizeChanger: true },
    }),
    e(Pagination, { key: 11, total: 100 }),
    e(Checkbox, { key: 12 }),
    e(Spin, { key: 13 }),
    e(Empty, { key: 14 }),
    e(Space.Compact, { key: 15 }, e(Button)),
    e(Form, { key: 16 }, e(Form.Item, { label: '-', name: 'a' }, e(Input))),
    e(Tabs, { key: 17, items: [{ key: '1', label: '-' }] }),
    e(Modal, { key: 18 }),
  ])

/**
 * The rules that antd would write into the page at run time for what the first screens are made of, with its own note of what they are for.
 * It looks there before it writes any: what is not among them it still writes itself.
 */
const antdRules = () => {
  const cache = createCache()
  renderToString(e(StyleProvider, { cache }, e(ConfigProvider, { theme: { hashed: false } }, drawn())))
  return extractStyle(cache, { plain: true, types: 'style' })
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed, named],
  // For theme/antdRules.ts.
  define: { antdRules: JSON.stringify(antdRules()) },
  resolve: { alias: { typebox: join(import.meta.dirname, 'schemas.ts') } },
  server: { proxy: { '/api': { target: server, ws: true } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline script: no inlined polyfill, no data: modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files come sooner than many. Each group takes what it needs and no group before it has: what every page begins with,
          // the console behind the login, what nearly every screen draws with, what lists need besides.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'start', test: /console\/(main|areas\/session\/Login)\.tsx$/ },
            { name: 'shell', test: /console\/app\/(Console|antdWords)\.tsx?$/ },
            {
              name: 'parts',
              test: /antd\/es\/(table|form|select|input|tabs|modal)\/|icons\/es\/icons\/|console\/(resource\/(Empty|api)|list\/(arrange|usePreference))\./,
            },
            { name: 'lists', test: /console\/resource\/ResourceList\.tsx$/ },
          ],
        },
      },
    },
  },
})

// Generates antd's styles at build time. Runs only in the build.
import { createRequire } from 'node:module'
import { createElement as e } from 'react'
import { renderToString } from 'react-dom/server'

// Load the same copies of the library and its styles: the Node build has a separate cache.
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
  Table,
  Tabs,
  Tooltip,
} = antd
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
 * CSS that antd would insert at run time for the first screens, with antd's own markers.
 * antd checks these markers first and inserts only missing styles.
 */
export const antdRules = () => {
  const cache = createCache()
  renderToString(e(StyleProvider, { cache }, e(ConfigProvider, { theme: { hashed: false } }, drawn())))
  return extractStyle(cache, { plain: true, types: 'style' })
}

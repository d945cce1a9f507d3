const files = import.meta.glob<Record<string, string>>(
  [
    '../words.zh.json',
    '../../*/words.zh.json',
    '../../areas/*/words.zh.json',
    '../../../contract/areas/*.words.zh.json',
    '../../../contract/base/*.words.zh.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>

const files = import.meta.glob<Record<string, string>>(
  [
    '../words.es.json',
    '../../*/words.es.json',
    '../../areas/*/words.es.json',
    '../../../contract/areas/*.words.es.json',
    '../../../contract/base/*.words.es.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>

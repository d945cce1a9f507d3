const files = import.meta.glob<Record<string, string>>(
  [
    '../words.es.json',
    '../../*/words.es.json',
    '../../kernel/*/words.es.json',
    '../../../areas/*/*/words/es.json',
    '../../../contract/words/*.es.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.PENSTOCK_URL ?? 'http://127.0.0.1:8420'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'words-en', test: /words\.en\.json$/ },
            { name: 'words-zh', test: /words\.zh\.json$/ },
            { name: 'words-es', test: /words\.es\.json$/ },
            { name: 'words-ja', test: /words\.ja\.json$/ },
          ],
        },
      },
    },
  },
})

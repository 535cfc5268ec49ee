/** Uploads: forms with files, and large bodies that are counted as they arrive. */
function form(parts) {
  const text = parts
    .map(({ name, file, type, data }) => {
      const filename = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: ${type}`;
      return `--boundary\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${data}\r\n`;
    })
    .join('');
  return `${text}--boundary--\r\n`;
}
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=boundary' };
const file = (name, data) => ({ name, file: `${name}.txt`, type: 'text/plain', data });

export default [
  {
    name: 'takes files and fields',
    ask: ({ post }) => {
      const parts = [
        { name: 'title', data: 'two files' },
        file('files', 'a'),
        file('files', 'b'.repeat(90_000)),
      ];
      return post('/uploads/memory', form(parts), MULTIPART);
    },
    expected: {
      status: 200,
      body: JSON.stringify({
        files: [
          { originalname: 'files.txt', mimetype: 'text/plain', size: 1 },
          { originalname: 'files.txt', mimetype: 'text/plain', size: 90_000 },
        ],
        fields: { title: 'two files' },
      }),
    },
  },
  {
    name: 'refuses a file above the limit',
    ask: ({ post }) => post('/uploads/memory', form([file('files', 'x'.repeat(200_000))]), MULTIPART),
    expected: { status: 500, body: '{"code":"LIMIT_FILE_SIZE"}' },
  },
  {
    name: 'stores a file on disk',
    ask: ({ post }) => post('/uploads/disk', form([file('file', 'x'.repeat(90_000))]), MULTIPART),
    expected: { status: 200, body: '{"size":90000}' },
  },
  {
    name: 'counts eight megabytes',
    ask: ({ post }) => post('/uploads/counted', Buffer.alloc(8_000_000)),
    expected: { status: 200, body: '{"length":8000000}' },
  },
];

<p>Hello, {{name}}</p>
